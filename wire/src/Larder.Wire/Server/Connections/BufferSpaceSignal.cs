namespace Larder.Wire;

/// <summary>Completes a task when there is space for a handler's next response.</summary>
internal sealed class BufferSpaceSignal : IBufferSpaceWaiter
{
    private readonly TaskCompletionSource _source = new();

    public Task Task => _source.Task;

    // Already on the thread pool: the handler continues on this thread.
    public Task OnSpaceAvailable()
    {
        _source.SetResult();
        return Task.CompletedTask;
    }
}
