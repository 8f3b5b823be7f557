//! A bounded queue that is fair to those who wait: live moves before analysis, and within a class everybody in turn.

use std::collections::VecDeque;

/// How urgent something is, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Somebody waits for a move.
    Live,
    /// Somebody looks on.
    Analysis,
}

impl Class {
    const ALL: [Class; 2] = [Class::Live, Class::Analysis];
    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Class::Live => "live",
            Class::Analysis => "analysis",
        }
    }
}

/// The queue. A client that asks for much waits behind those who ask for little.
pub struct Queue<T> {
    /// By class: clients in the order in which they are served, each with what it waits for.
    clients: [VecDeque<(u64, VecDeque<T>)>; 2],
    waiting: [usize; 2],
    room: [usize; 2],
}

impl<T> Queue<T> {
    /// An empty queue with room for so much of each class.
    pub fn new(live: usize, analysis: usize) -> Queue<T> {
        Queue { clients: Default::default(), waiting: [0; 2], room: [live, analysis] }
    }

    /// How much of a class waits.
    pub fn waiting(&self, class: Class) -> usize {
        self.waiting[class as usize]
    }

    /// Adds something, unless there is no room for it.
    pub fn push(&mut self, class: Class, client: u64, item: T) -> Result<(), T> {
        if self.waiting[class as usize] >= self.room[class as usize] {
            return Err(item);
        }
        self.put_back(class, client, item);
        Ok(())
    }

    /// Adds something that was taken out and is not finished; there is always room for it.
    pub fn put_back(&mut self, class: Class, client: u64, item: T) {
        let clients = &mut self.clients[class as usize];
        match clients.iter_mut().find(|(known, _)| *known == client) {
            Some((_, items)) => items.push_back(item),
            None => clients.push_back((client, VecDeque::from([item]))),
        }
        self.waiting[class as usize] += 1;
    }

    /// Takes out what is next among what can be done now. Whoever was served goes to the end.
    pub fn pop(&mut self, ready: impl Fn(Class, &T) -> bool) -> Option<(Class, u64, T)> {
        for class in Class::ALL {
            let clients = &mut self.clients[class as usize];
            let Some(at) = clients.iter().position(|(_, items)| items.front().is_some_and(|item| ready(class, item)))
            else {
                continue;
            };
            let (client, mut items) = clients.remove(at)?;
            let item = items.pop_front()?;
            if !items.is_empty() {
                clients.push_back((client, items));
            }
            self.waiting[class as usize] -= 1;
            return Some((class, client, item));
        }
        None
    }

    /// How much of a class waits that is like this.
    pub fn count(&self, class: Class, is_one: impl Fn(&T) -> bool) -> usize {
        self.clients[class as usize].iter().flat_map(|(_, items)| items).filter(|item| is_one(item)).count()
    }

    /// Throws out what is not like this.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        for class in Class::ALL {
            let clients = &mut self.clients[class as usize];
            clients.iter_mut().for_each(|(_, items)| items.retain(&keep));
            clients.retain(|(_, items)| !items.is_empty());
            self.waiting[class as usize] = clients.iter().map(|(_, items)| items.len()).sum();
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
            queue.push(Class::Analysis, client, item).unwrap();
        }
        queue.push(Class::Live, 4, "move").unwrap();
        assert_eq!(order(&mut queue), ["move", "a1", "b1", "c1", "a2", "b2", "a3"]);
        assert_eq!(queue.waiting(Class::Analysis), 0);
    }

    #[test]
    fn what_can_not_be_done_now_lets_others_pass() {
        let mut queue = Queue::new(10, 10);
        queue.push(Class::Live, 1, "busy").unwrap();
        queue.push(Class::Analysis, 2, "free").unwrap();
        assert_eq!(queue.pop(|_, item| *item != "busy"), Some((Class::Analysis, 2, "free")));
        assert_eq!(queue.pop(|_, item| *item != "busy"), None);
        assert_eq!(order(&mut queue), ["busy"]);
    }

    #[test]
    fn there_is_room_for_so_much_and_no_more() {
        let mut queue = Queue::new(1, 2);
        queue.push(Class::Live, 1, "one").unwrap();
        assert_eq!(queue.push(Class::Live, 2, "two"), Err("two"));
        queue.push(Class::Analysis, 1, "three").unwrap();
        queue.retain(|item| *item != "one");
        queue.push(Class::Live, 2, "two").unwrap();
        assert_eq!(order(&mut queue), ["two", "three"]);
    }
}
