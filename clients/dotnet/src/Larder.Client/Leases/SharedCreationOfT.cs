using Larder.Client.Leases;

namespace Larder.Client;

/// <summary>A <see cref="SharedCreation"/> with a result.</summary>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="item">The item whose lease the work uses, or null if it uses none.</param>
/// <param name="work">The work. It starts when the first caller waits for it.</param>
internal sealed class SharedCreation<TResult>(LeasedItem? item, Func<CancellationToken, Task<TResult>> work) : SharedCreation(item)
    where TResult : class
{
    // The first caller runs the synchronous part of the work on its own thread. The other callers must not block their threads meanwhile.
    private readonly TaskCompletionSource<TResult> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _hasStarted;

    protected override bool IsCompleted => _result.Task.IsCompleted;

    /// <summary>
    /// Waits for the result, which all callers share. The caller must have joined, and leaves when this method returns. If one caller cancels, the other
    /// callers continue to wait.
    /// </summary>
    /// <returns>
    /// The result, or null if waiting would cause a deadlock, because the method is called by a factory for which this creation waits.
    /// </returns>
    public async Task<TResult?> WaitAsync(CancellationToken cancellationToken)
    {
        bool canWait = TryBeginWait(out SharedCreation? waiter);
        try
        {
            if (!canWait)
            {
                return null;
            }

            if (Interlocked.Exchange(ref _hasStarted, 1) == 0)
            {
                _ = RunToEndAsync();
            }

            return await _result.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            EndWait(waiter);
        }
    }

    private async Task RunToEndAsync()
    {
        Task<TResult> running = RunAsync(work);
        await ((Task)running).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _result.SetFromTask(running);

        // If all callers have left, no one observes the exception.
        _ = _result.Task.Exception;
    }
}
