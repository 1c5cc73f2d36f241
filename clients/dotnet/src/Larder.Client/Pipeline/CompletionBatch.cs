using Larder.Client.Calls;
using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <summary>
/// The calls that one read of a stream answered, signalled one after the other. A caller whose continuation blocks holds up those behind it
/// until <see cref="HelpIfStalled"/> sends a second runner past it.
/// </summary>
internal sealed class CompletionBatch(CompletionBatches owner) : IThreadPoolWorkItem
{
    private Call[] _calls = new Call[64];
    private int _count;
    private int _next;
    private int _runners;
    private int _seenNext;
    private int _splitAt;

    public int Count => _count;

    public void Add(Call call)
    {
        if (_count == _calls.Length)
        {
            Array.Resize(ref _calls, _count * 2);
        }

        _calls[_count++] = call;
    }

    /// <summary>
    /// From now on it may be executed, and is watched. Where nearly all calls of the stream are answered here, and few are <paramref name="underWay"/>, what the first half
    /// asks next leaves before the second half is woken.
    /// </summary>
    public void Start(int underWay)
    {
        _splitAt = DuplexCall.SplitOf(_count, underWay);
        _next = 0;
        _seenNext = -1;
        Volatile.Write(ref _runners, 1);
    }

    public void Execute()
    {
        int index;
        while ((index = Interlocked.Increment(ref _next) - 1) < _count)
        {
            Call call = _calls[index];
            _calls[index] = null!;
            call.Signal();
            if (index == _splitAt)
            {
                DuplexCall.RunLeft();
            }

            if (DuplexCall.MustHandOver(index))
            {
                HandOver();
                break;
            }
        }

        if (Interlocked.Decrement(ref _runners) == 0)
        {
            _count = 0;
            owner.Return(this);
        }
    }

    /// <summary>Called from time to time: where nothing was signalled since the last time, another runner goes on with the rest.</summary>
    public void HelpIfStalled()
    {
        int next = Volatile.Read(ref _next);
        bool isStalled = next == _seenNext && next < _count;
        _seenNext = next;
        if (isStalled && TryAddRunner())
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    // The thread is wanted back: the pool goes on.
    private void HandOver()
    {
        if (Volatile.Read(ref _next) < _count && TryAddRunner())
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    private bool TryAddRunner()
    {
        int runners = Volatile.Read(ref _runners);
        while (runners > 0)
        {
            int seen = Interlocked.CompareExchange(ref _runners, runners + 1, runners);
            if (seen == runners)
            {
                return true;
            }

            runners = seen;
        }

        return false;
    }
}
