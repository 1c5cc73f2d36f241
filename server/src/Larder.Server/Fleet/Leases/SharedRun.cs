namespace Larder.Server.Fleet;

/// <summary>
/// Runs an operation for several callers at once. A caller that joins while the operation runs shares the next run, because the current run may have begun
/// before the caller's own change. Thread-safe.
/// </summary>
/// <param name="run">The operation.</param>
internal sealed class SharedRun(Func<Task> run)
{
    private readonly Lock _gate = new();
    private Task _running = Task.CompletedTask;
    private Task? _next;

    /// <summary>Returns a task that completes with a run that has not begun yet.</summary>
    public Task JoinAsync()
    {
        lock (_gate)
        {
            return _running.IsCompleted && _next is null ? _running = Task.Run(run) : _next ??= RunNextAsync(_running);
        }
    }

    private async Task RunNextAsync(Task before)
    {
        await before.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ForceYielding);
        Task running;
        lock (_gate)
        {
            _running = running = Task.Run(run);
            _next = null;
        }

        await running.ConfigureAwait(false);
    }
}
