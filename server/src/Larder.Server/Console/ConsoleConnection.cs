using Larder.Wire;

namespace Larder.Server.Console;

/// <summary>A connection to the console, as seen by the requests on it.</summary>
internal sealed class ConsoleConnection
{
    private readonly ConnectionSlots _slots;
    private readonly ConnectionSlot _slot;
    private int _requests;

    public ConsoleConnection(ConnectionSlots slots, ConnectionSlot slot)
    {
        _slots = slots;
        _slot = slot;
        _slot.IsBusy = () => Volatile.Read(ref _requests) > 0;
    }

    /// <summary>Counts a request as in progress.</summary>
    public void Begin() => Interlocked.Increment(ref _requests);

    /// <summary>Counts a request as completed.</summary>
    public void End() => Interlocked.Decrement(ref _requests);

    /// <summary>Marks the connection as authenticated, because a request presented a valid token.</summary>
    public void Authenticate() => _slots.Authenticate(_slot);
}
