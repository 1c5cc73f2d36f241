using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;

namespace Larder.Wire.Threads;

/// <summary>
/// The completion of a reused awaitable. Like <see cref="ManualResetValueTaskSourceCore{TResult}"/>, which runs the continuation, but it needs no thread of the
/// pool if the awaitable completes while its continuation is being registered: .NET's own queues the continuation to the pool then.
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

    /// <summary>Which use of the awaitable this is.</summary>
    public readonly short Version => _continuation.Version;

    /// <summary>Begins another use.</summary>
    public void Reset()
    {
        _continuation.Reset();
        _result = default;
        _error = null;
        Volatile.Write(ref _state, 0);
    }

    /// <summary>Has it appear to be incomplete until <see cref="Release"/>; before anything can complete it.</summary>
    public void Hold() => Volatile.Write(ref _state, Held);

    /// <summary>Ends <see cref="Hold"/>. If it has completed and a continuation is registered, that runs here.</summary>
    public void Release()
    {
        if ((Interlocked.And(ref _state, ~Held) & (Registered | Completed)) == (Registered | Completed))
        {
            Continue();
        }
    }

    /// <summary>Completes it; the continuation runs here if it is registered.</summary>
    public void SetResult(TResult result)
    {
        _result = result;
        Complete();
    }

    /// <summary>The same, with an exception for the awaiter.</summary>
    public void SetException(Exception error)
    {
        _error = ExceptionDispatchInfo.Capture(error);
        Complete();
    }

    /// <summary>
    /// Registers the continuation. True if the awaitable was completed meanwhile: the caller then has <see cref="Continue"/> called, on another stack.
    /// </summary>
    public bool OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _continuation.OnCompleted(continuation, state, token, flags);
        return Interlocked.Or(ref _state, Registered) == Completed;
    }

    /// <summary>Runs the continuation of an awaitable that was completed while it was being registered.</summary>
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
            throw new InvalidOperationException("The operation has completed before.");
        }
    }

    private readonly void Check(short token)
    {
        if (token != _continuation.Version)
        {
            throw new InvalidOperationException("The operation was awaited before.");
        }
    }
}
