using System.Net;

namespace Larder.Wire;

/// <summary>One of the <see cref="ConnectionSlots"/>, held by a connection until it is released.</summary>
internal sealed class ConnectionSlot
{
    private readonly Lock _lock = new();
    private Action? _abort;
    private bool _isEvicted;
    private bool _isReleased;

    public ConnectionSlot(IPAddress network) => Network = network;

    /// <summary>Whether the connection has work in progress; set by its owner. Idle connections are evicted before busy ones.</summary>
    public Func<bool>? IsBusy { get; set; }

    /// <summary>Whether the connection lost its slot to a newer one.</summary>
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

    /// <summary>Where the slots list it while its connection is unauthenticated; null afterwards. Under the lock of the slots.</summary>
    public LinkedListNode<ConnectionSlot>? Place { get; set; }

    /// <summary>Sets how the connection is closed when the slot is evicted. If it was evicted already, closes it at once.</summary>
    /// <returns>Whether the connection still holds its slot.</returns>
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
    /// <returns>Closes its connection; to be called without the lock of the slots.</returns>
    public Action? Evict()
    {
        lock (_lock)
        {
            _isEvicted = true;
            return _abort;
        }
    }

    /// <summary>Marks the slot as released, once.</summary>
    /// <returns>Whether the slot is free now: an evicted one already belongs to another connection.</returns>
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
