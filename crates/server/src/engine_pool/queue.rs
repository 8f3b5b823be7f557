//! A bounded and fair queue: live moves go before analysis, and clients of the same priority take turns.

use std::collections::VecDeque;

/// How urgent something is, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Priority {
    /// Somebody waits for a move.
    Live,
    /// Somebody watches a search.
    Analysis,
}

impl Priority {
    const ALL: [Priority; 2] = [Priority::Live, Priority::Analysis];

    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Priority::Live => "live",
            Priority::Analysis => "analysis",
        }
    }
}

/// The queue. A client with many items does not keep others waiting.
pub struct Queue<T> {
    /// By priority: clients in the order in which they are served, each with its items.
    clients: [VecDeque<(u64, VecDeque<T>)>; 2],
    waiting: [usize; 2],
    capacity: [usize; 2],
}

impl<T> Queue<T> {
    /// An empty queue that holds so many items of each priority.
    pub fn new(live: usize, analysis: usize) -> Queue<T> {
        Queue { clients: Default::default(), waiting: [0; 2], capacity: [live, analysis] }
    }

    /// How many items of a priority wait.
    pub fn waiting(&self, priority: Priority) -> usize {
        self.waiting[priority as usize]
    }

    /// Adds an item, or returns it if the queue is full.
    pub fn push(&mut self, priority: Priority, client: u64, item: T) -> Result<(), T> {
        if self.waiting[priority as usize] >= self.capacity[priority as usize] {
            return Err(item);
        }
        self.put_back(priority, client, item);
        Ok(())
    }

    /// Adds an item that was taken out and is not finished, even if the queue is full.
    pub fn put_back(&mut self, priority: Priority, client: u64, item: T) {
        let clients = &mut self.clients[priority as usize];
        match clients.iter_mut().find(|(known, _)| *known == client) {
            Some((_, items)) => items.push_back(item),
            None => clients.push_back((client, VecDeque::from([item]))),
        }
        self.waiting[priority as usize] += 1;
    }

    /// Takes out the next item that is ready. Its client goes to the end of the line.
    pub fn pop(&mut self, ready: impl Fn(Priority, &T) -> bool) -> Option<(Priority, u64, T)> {
        for priority in Priority::ALL {
            let clients = &mut self.clients[priority as usize];
            let Some(at) =
                clients.iter().position(|(_, items)| items.front().is_some_and(|item| ready(priority, item)))
            else {
                continue;
            };
            let (client, mut items) = clients.remove(at)?;
            let item = items.pop_front()?;
            if !items.is_empty() {
                clients.push_back((client, items));
            }
            self.waiting[priority as usize] -= 1;
            return Some((priority, client, item));
        }
        None
    }

    /// How many such items of a priority wait.
    pub fn count(&self, priority: Priority, is_one: impl Fn(&T) -> bool) -> usize {
        self.clients[priority as usize].iter().flat_map(|(_, items)| items).filter(|item| is_one(item)).count()
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

    fn order(queue: &mut Queue<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| queue.pop(|_, _| true)).map(|(_, _, item)| item).collect()
    }

    #[test]
    fn live_moves_come_first_and_clients_take_turns() {
        let mut queue = Queue::new(10, 10);
        for (client, item) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            queue.push(Priority::Analysis, client, item).unwrap();
        }
        queue.push(Priority::Live, 4, "move").unwrap();
        assert_eq!(order(&mut queue), ["move", "a1", "b1", "c1", "a2", "b2", "a3"]);
        assert_eq!(queue.waiting(Priority::Analysis), 0);
    }

    #[test]
    fn an_item_that_is_not_ready_lets_others_pass() {
        let mut queue = Queue::new(10, 10);
        queue.push(Priority::Live, 1, "busy").unwrap();
        queue.push(Priority::Analysis, 2, "free").unwrap();
        assert_eq!(queue.pop(|_, item| *item != "busy"), Some((Priority::Analysis, 2, "free")));
        assert_eq!(queue.pop(|_, item| *item != "busy"), None);
        assert_eq!(order(&mut queue), ["busy"]);
    }

    #[test]
    fn a_full_queue_takes_nothing() {
        let mut queue = Queue::new(1, 2);
        queue.push(Priority::Live, 1, "one").unwrap();
        assert_eq!(queue.push(Priority::Live, 2, "two"), Err("two"));
        queue.push(Priority::Analysis, 1, "three").unwrap();
        queue.retain(|item| *item != "one");
        queue.push(Priority::Live, 2, "two").unwrap();
        assert_eq!(order(&mut queue), ["two", "three"]);
    }
}
