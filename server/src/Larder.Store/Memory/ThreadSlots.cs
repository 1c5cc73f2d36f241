namespace Larder.Store;

/// <summary>
/// The slots of a thread: one for each store from which the thread has read. When the thread has ended, the finalizer returns them to their stores.
/// </summary>
internal sealed class ThreadSlots
{
    [ThreadStatic]
    private static ThreadSlots? t_slots;

    private readonly List<ReaderSlot> _slots = [];

    ~ThreadSlots()
    {
        foreach (ReaderSlot slot in _slots)
        {
            slot.Owner.Return(slot);
        }
    }

    public static ThreadSlots OfThisThread => t_slots ??= new ThreadSlots();

    public ReaderSlot? Find(Epochs owner) => _slots.Find(slot => ReferenceEquals(slot.Owner, owner));

    public ReaderSlot Add(ReaderSlot slot)
    {
        _slots.Add(slot);
        return slot;
    }
}
