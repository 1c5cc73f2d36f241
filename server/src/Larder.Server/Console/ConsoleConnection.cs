using Larder.Wire;

namespace Larder.Server.Console;

/// <summary>One connection to the console, as its requests see it.</summary>
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

    /// <summary>A request arrived.</summary>
    public void Begin() => Interlocked.Increment(ref _requests);

    /// <summary>It was answered.</summary>
    public void End() => Interlocked.Decrement(ref _requests);

    /// <summary>A request on it showed a valid token.</summary>
    public void Authenticate() => _slots.Authenticate(_slot);
}
