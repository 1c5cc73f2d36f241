namespace Larder.Wire;

/// <summary>A waiter for buffer space on its connection for a large response.</summary>
internal interface IBufferSpaceWaiter
{
    /// <summary>Called on the thread pool when there is space or the connection has ended.</summary>
    /// <returns>A task that completes when the response is written, or when the waiter is waiting again because the space was taken.</returns>
    Task OnSpaceAvailable();
}
