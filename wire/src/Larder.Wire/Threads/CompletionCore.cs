using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;

namespace Larder.Wire.Threads;

/// <summary>
/// The completion of a reusable awaitable. It wraps <see cref="ManualResetValueTaskSourceCore{TResult}"/>, which runs the continuation. The two types differ if
/// the awaitable completes while its continuation is being registered. In that case, .NET's type queues the continuation to the thread pool, but this type
/// needs no pool thread.
/// </summary>
internal struct CompletionCore<TResult>
{
    private const int Registered = 1;
    private const int Completed = 2;
    private const int Held = 4;

    private ManualResetValueTaskSourceCore<bool> _continuation;
    private TResult? _result;
    private ExceptionDispatchInfo? _error;
    private int _state;

    /// <summary>Gets the version, which identifies one use of the awaitable.</summary>
    public readonly short Version => _continuation.Version;

    /// <summary>Prepares the awaitable for its next use.</summary>
    public void Reset()
    {
        _continuation.Reset();
        _result = default;
        _error = null;
        Volatile.Write(ref _state, 0);
    }

    /// <summary>Makes the awaitable appear incomplete until <see cref="Release"/> is called. Call this method before the awaitable can complete.</summary>
    public void Hold() => Volatile.Write(ref _state, Held);

    /// <summary>Ends <see cref="Hold"/>. If the awaitable has completed and a continuation is registered, the continuation runs on this thread.</summary>
    public void Release()
    {
        if ((Interlocked.And(ref _state, ~Held) & (Registered | Completed)) == (Registered | Completed))
        {
            Continue();
        }
    }

    /// <summary>Completes the awaitable. A registered continuation runs on this thread.</summary>
    public void SetResult(TResult result)
    {
        _result = result;
        Complete();
    }

    /// <summary>Completes the awaitable with an exception. A registered continuation runs on this thread.</summary>
    public void SetException(Exception error)
    {
        _error = ExceptionDispatchInfo.Capture(error);
        Complete();
    }

    /// <summary>
    /// Registers the continuation. Returns true if the awaitable has already completed. The caller must then arrange that <see cref="Continue"/> is called on
    /// another stack.
    /// </summary>
    public bool OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _continuation.OnCompleted(continuation, state, token, flags);
        return Interlocked.Or(ref _state, Registered) == Completed;
    }

    /// <summary>Runs the continuation of an awaitable that completed while the continuation was being registered.</summary>
    public void Continue() => _continuation.SetResult(true);

    public ValueTaskSourceStatus GetStatus(short token)
    {
        Check(token);
        return (Volatile.Read(ref _state) & (Completed | Held)) != Completed ? ValueTaskSourceStatus.Pending
            : _error is null ? ValueTaskSourceStatus.Succeeded
            : ValueTaskSourceStatus.Faulted;
    }

    public TResult GetResult(short token)
    {
        Check(token);
        if ((Volatile.Read(ref _state) & Completed) == 0)
        {
            throw new InvalidOperationException("The operation has not completed.");
        }

        _error?.Throw();
        return _result!;
    }

    private void Complete()
    {
        int before = Interlocked.Or(ref _state, Completed);
        if (before == Registered)
        {
            Continue();
        }
        else if ((before & Completed) != 0)
        {
            throw new InvalidOperationException("The operation has already completed.");
        }
    }

    private readonly void Check(short token)
    {
        if (token != _continuation.Version)
        {
            throw new InvalidOperationException("The operation was already awaited.");
        }
    }
}
