namespace Larder.Wire;

/// <summary>A waiter whose task completes when there is space for a handler's next response.</summary>
internal sealed class BufferSpaceSignal : IBufferSpaceWaiter
{
    private readonly TaskCompletionSource _source = new();

    public Task Task => _source.Task;

    // This method runs on the thread pool, so the handler continues on this thread.
    public Task OnSpaceAvailable()
    {
        _source.SetResult();
        return Task.CompletedTask;
    }
}
