using System.Net;

namespace Larder.Wire;

/// <summary>One of the <see cref="ConnectionSlots"/>. A connection has the slot until the slot is released or evicted.</summary>
internal sealed class ConnectionSlot
{
    private readonly Lock _lock = new();
    private Action? _abort;
    private bool _isEvicted;
    private bool _isReleased;

    public ConnectionSlot(IPAddress network) => Network = network;

    /// <summary>Gets or sets a callback that returns whether the connection has work in progress. Idle connections are evicted before busy ones.</summary>
    public Func<bool>? IsBusy { get; set; }

    /// <summary>Gets whether the connection has lost its slot to a newer connection.</summary>
    public bool IsEvicted
    {
        get
        {
            lock (_lock)
            {
                return _isEvicted;
            }
        }
    }

    public IPAddress Network { get; }

    /// <summary>
    /// Gets or sets the slot's node in the list of unauthenticated connections; null after authentication. Guarded by the lock of
    /// <see cref="ConnectionSlots"/>.
    /// </summary>
    public LinkedListNode<ConnectionSlot>? Place { get; set; }

    /// <summary>
    /// Sets the callback that closes the connection when the slot is evicted. If the slot has already been evicted, the callback is called immediately.
    /// </summary>
    /// <returns>Whether the connection still has its slot.</returns>
    public bool TryAttach(Action abort)
    {
        lock (_lock)
        {
            if (!_isEvicted)
            {
                _abort = abort;
                return true;
            }
        }

        abort();
        return false;
    }

    /// <summary>Marks the slot as evicted.</summary>
    /// <returns>A callback that closes the connection. It must be called without holding the lock of <see cref="ConnectionSlots"/>.</returns>
    public Action? Evict()
    {
        lock (_lock)
        {
            _isEvicted = true;
            return _abort;
        }
    }

    /// <summary>Marks the slot as released. Further calls have no effect.</summary>
    /// <returns>Whether this call freed the slot. An evicted slot is not freed, because it already belongs to another connection.</returns>
    public bool TryRelease()
    {
        lock (_lock)
        {
            bool isFree = !_isReleased && !_isEvicted;
            _isReleased = true;
            _abort = null;
            return isFree;
        }
    }
}
