//! A bounded and fair queue: by classes, and clients of the same class take turns.

use std::collections::VecDeque;

/// The classes of work, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Priority {
    /// Somebody waits for a move.
    Live,
    /// Somebody watches a search.
    Analysis,
    /// Engines play each other.
    Match,
}

impl Priority {
    /// All of them.
    pub const ALL: [Priority; 3] = [Priority::Live, Priority::Analysis, Priority::Match];

    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Priority::Live => "live",
            Priority::Analysis => "analysis",
            Priority::Match => "match",
        }
    }
}

/// Why the queue takes nothing more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueFull {
    /// Too much waits.
    Full,
    /// Too much of this client waits.
    Share,
}

/// The queue. A client with many items does not keep others waiting.
pub struct Queue<T> {
    /// By priority: clients in the order in which they are served, each with its items.
    clients: [VecDeque<(u64, VecDeque<T>)>; 3],
    waiting: [usize; 3],
    capacity: [usize; 3],
}

impl<T> Queue<T> {
    /// An empty queue that holds so many items of each priority.
    pub fn new(capacity: [usize; 3]) -> Queue<T> {
        Queue { clients: Default::default(), waiting: [0; 3], capacity }
    }

    /// How many items of a priority wait.
    pub fn waiting(&self, priority: Priority) -> usize {
        self.waiting[priority as usize]
    }

    /// Adds an item, unless the queue is full or has `most` items of this client.
    pub fn push(&mut self, priority: Priority, client: u64, most: usize, item: T) -> Result<(), QueueFull> {
        let own = self.clients[priority as usize].iter().find(|(known, _)| *known == client);
        if own.map_or(0, |(_, items)| items.len()) >= most {
            return Err(QueueFull::Share);
        }
        if self.waiting[priority as usize] >= self.capacity[priority as usize] {
            return Err(QueueFull::Full);
        }
        self.items(priority, client).push_back(item);
        Ok(())
    }

    /// Adds an item that was taken out and is not finished, even if the queue is full. Among the items of its client an
    /// analysis, which may have no end, goes last; anything else is finished before the next one begins.
    pub fn put_back(&mut self, priority: Priority, client: u64, item: T) {
        let items = self.items(priority, client);
        match priority {
            Priority::Analysis => items.push_back(item),
            Priority::Live | Priority::Match => items.push_front(item),
        }
    }

    /// The items of a client, to which one is added.
    fn items(&mut self, priority: Priority, client: u64) -> &mut VecDeque<T> {
        self.waiting[priority as usize] += 1;
        let clients = &mut self.clients[priority as usize];
        let at = clients.iter().position(|(known, _)| *known == client).unwrap_or_else(|| {
            clients.push_back((client, VecDeque::new()));
            clients.len() - 1
        });
        &mut clients[at].1
    }

    /// Takes out the next item that is ready, from the first of these classes that has one. Its client goes to the end of
    /// the line.
    pub fn pop(&mut self, order: [Priority; 3], ready: impl Fn(&T) -> bool) -> Option<(Priority, u64, T)> {
        for priority in order {
            let clients = &mut self.clients[priority as usize];
            let found = clients.iter().enumerate().find_map(|(client, (_, items))| {
                let item = items.iter().position(&ready)?;
                Some((client, item))
            });
            let Some((client, item)) = found else { continue };
            let (client, mut items) = clients.remove(client)?;
            let item = items.remove(item)?;
            if !items.is_empty() {
                clients.push_back((client, items));
            }
            self.waiting[priority as usize] -= 1;
            return Some((priority, client, item));
        }
        None
    }

    /// How many such items of a priority wait, by their client and what they are.
    pub fn count(&self, priority: Priority, is_one: impl Fn(u64, &T) -> bool) -> usize {
        let of_client =
            |(client, items): &(u64, VecDeque<T>)| items.iter().filter(|item| is_one(*client, item)).count();
        self.clients[priority as usize].iter().map(of_client).sum()
    }

    /// Drops all other items.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        for priority in Priority::ALL {
            let clients = &mut self.clients[priority as usize];
            clients.iter_mut().for_each(|(_, items)| items.retain(&keep));
            clients.retain(|(_, items)| !items.is_empty());
            self.waiting[priority as usize] = clients.iter().map(|(_, items)| items.len()).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: [usize; 3] = [10; 3];

    fn order(queue: &mut Queue<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| queue.pop(Priority::ALL, |_| true)).map(|(_, _, item)| item).collect()
    }

    #[test]
    fn classes_come_in_the_wanted_order_and_clients_take_turns() {
        let mut queue = Queue::new(ROOM);
        for (client, item) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            queue.push(Priority::Analysis, client, 10, item).unwrap();
        }
        queue.push(Priority::Live, 4, 10, "move").unwrap();
        queue.push(Priority::Match, 4, 10, "match").unwrap();
        let turned = [Priority::Match, Priority::Live, Priority::Analysis];
        assert_eq!(queue.pop(turned, |_| true), Some((Priority::Match, 4, "match")));
        assert_eq!(order(&mut queue), ["move", "a1", "b1", "c1", "a2", "b2", "a3"]);
        assert_eq!(queue.waiting(Priority::Analysis), 0);
    }

    #[test]
    fn what_was_interrupted_is_finished_first_and_an_analysis_lets_the_next_one_begin() {
        for (priority, wanted) in [(Priority::Match, ["one", "two"]), (Priority::Analysis, ["two", "one"])] {
            let mut queue = Queue::new(ROOM);
            queue.push(priority, 1, 10, "one").unwrap();
            queue.push(priority, 1, 10, "two").unwrap();
            let (_, client, item) = queue.pop(Priority::ALL, |_| true).unwrap();
            queue.put_back(priority, client, item);
            assert_eq!(order(&mut queue), wanted);
        }
    }

    #[test]
    fn an_item_that_is_not_ready_lets_others_pass() {
        let mut queue = Queue::new(ROOM);
        queue.push(Priority::Live, 1, 10, "busy").unwrap();
        queue.push(Priority::Live, 1, 10, "own").unwrap();
        queue.push(Priority::Analysis, 2, 10, "free").unwrap();
        let ready = |item: &&str| *item != "busy";
        assert_eq!(queue.pop(Priority::ALL, ready), Some((Priority::Live, 1, "own")));
        assert_eq!(queue.pop(Priority::ALL, ready), Some((Priority::Analysis, 2, "free")));
        assert_eq!(queue.pop(Priority::ALL, ready), None);
        assert_eq!(order(&mut queue), ["busy"]);
    }

    #[test]
    fn a_full_queue_takes_nothing() {
        let mut queue = Queue::new([1, 2, 2]);
        queue.push(Priority::Live, 1, 10, "one").unwrap();
        assert_eq!(queue.push(Priority::Live, 2, 10, "two"), Err(QueueFull::Full));
        queue.push(Priority::Analysis, 1, 10, "three").unwrap();
        queue.retain(|item| *item != "one");
        queue.push(Priority::Live, 2, 10, "two").unwrap();
        assert_eq!(order(&mut queue), ["two", "three"]);
    }

    #[test]
    fn a_client_has_its_share_of_the_queue_and_leaves_the_rest_to_others() {
        let mut queue = Queue::new(ROOM);
        for _ in 0..2 {
            queue.push(Priority::Live, 1, 2, "mine").unwrap();
        }
        assert_eq!(queue.push(Priority::Live, 1, 2, "mine"), Err(QueueFull::Share));
        queue.push(Priority::Live, 2, 2, "yours").unwrap();
        queue.push(Priority::Match, 1, 2, "other class").unwrap();
    }
}
