namespace Larder.Wire;

/// <summary>Waits until its connection has room for a large answer.</summary>
internal interface IRoomWaiter
{
    /// <summary>There is room, or the connection is gone. On the thread pool.</summary>
    /// <returns>Completes when its answer is written, or it waits again: the room may be gone then.</returns>
    Task OnRoom();
}
