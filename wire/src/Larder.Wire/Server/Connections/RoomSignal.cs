namespace Larder.Wire;

/// <summary>A handler that awaits room for its next answer.</summary>
internal sealed class RoomSignal : IRoomWaiter
{
    private readonly TaskCompletionSource _source = new();

    public Task Task => _source.Task;

    // On the thread pool already: the handler goes on here.
    public Task OnRoom()
    {
        _source.SetResult();
        return Task.CompletedTask;
    }
}
