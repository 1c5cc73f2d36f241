namespace Larder.Wire;

/// <summary>Waits until its connection has room for a large answer.</summary>
internal interface IRoomWaiter
{
    /// <summary>There is room, or the connection is gone. On the thread pool.</summary>
    void OnRoom();
}
