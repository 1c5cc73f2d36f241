namespace Larder.Wire;

/// <summary>Waits until the connection has buffer space for a large response.</summary>
internal interface IBufferSpaceWaiter
{
    /// <summary>Continues with the response. Called on the thread pool when there is space or the connection has ended.</summary>
    /// <returns>A task that completes when the response is written, or when the waiter waits again because another response has taken the space.</returns>
    Task OnSpaceAvailable();
}
