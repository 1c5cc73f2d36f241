namespace Larder.Client;

/// <summary>A <see cref="SharedCreation"/> with a result.</summary>
/// <typeparam name="TResult">The type of the result.</typeparam>
internal sealed class SharedCreation<TResult> : SharedCreation
    where TResult : class
{
    private readonly Lazy<Task<TResult>> _work;

    /// <summary>Creates a creation. The work starts when the first caller waits for it.</summary>
    public SharedCreation(Func<CancellationToken, Task<TResult>> work) => _work = new(() => RunAsync(work));

    protected override bool IsCompleted => _work.IsValueCreated && _work.Value.IsCompleted;

    /// <summary>
    /// Waits for the result, which all callers share. The caller must have joined, and leaves when this method returns. If one caller cancels, the other
    /// callers continue to wait.
    /// </summary>
    /// <returns>
    /// The result, or null if waiting would cause a deadlock, because the method is called by a factory for which this creation waits.
    /// </returns>
    public Task<TResult?> WaitAsync(CancellationToken cancellationToken) => JoinedAsync(_work, cancellationToken);
}
