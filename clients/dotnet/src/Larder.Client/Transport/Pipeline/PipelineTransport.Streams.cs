using Larder.Client.Calls;
using Larder.Client.Gateways;
using Larder.Client.Near;
using Larder.Client.Pipeline;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <content>
/// Chooses the stream of each call, and opens and closes additional streams (<see cref="StreamPlan"/>).
/// <para>
/// Design: a caller that is resumed by a stream sends its next call on the same stream (<see cref="DuplexCall.CurrentReceiver"/>). The request, its response
/// and the caller then stay on one processor, and the calls of all callers that are resumed together are sent together. Any other caller uses the less loaded
/// of two random streams. Gets whose values the near cache may store use the near stream, because only its responses may be stored (NEAR-20).
/// </para>
/// </content>
internal sealed partial class PipelineTransport
{
    private readonly StreamPlan _plan;
    private readonly Ticker _planning;
    private readonly bool _mayHaveSeveral;

    // The streams that get no new calls and end when their last response has arrived. Guarded by the lock, like the two fields below.
    private readonly List<PipelineStream> _leaving = [];
    private int _opening;
    private TimeSpan _plannedAt;

    // Sends a call on an open stream. Returns false, without changing the call, if no stream is open or none accepts the call.
    private bool TrySendPipelined(Call call, long version)
    {
        PipelineStream[] open = Volatile.Read(ref _open);
        if (_mayHaveSeveral && open.Length > 0)
        {
            _planning.Wake();
        }

        // A stream that does not accept the call has just been removed from the open streams. So the number of tries is limited.
        for (int tries = open.Length; tries > 0 && open.Length > 0; tries--)
        {
            PipelineStream stream = open.Length > 1 ? Choose(open, call) : open[0];
            if (stream.Shown != _headers.Now.Shown)
            {
                // The stream would keep its outdated token, so it is replaced.
                stream.Retire("the token has changed");
            }
            else if (stream.TrySend(call, version))
            {
                return true;
            }

            open = Volatile.Read(ref _open);
        }

        return false;
    }

    private PipelineStream Choose(PipelineStream[] open, Call call)
    {
        if (_near?.Stream is PipelineStream near && open.Contains(near) && _near.Covers(call))
        {
            return near;
        }

        if (DuplexCall.CurrentReceiver is PipelineStream own && open.Contains(own))
        {
            return own.TryMoveCall() ? LeastLoaded(open) : own;
        }

        (int one, int other) = GatewayChoice.Draw(open.Length, _random(), _random());
        return GatewayChoice.LessLoaded(open[one], open[one].Load, open[other], open[other].Load);
    }

    private static PipelineStream LeastLoaded(PipelineStream[] open)
    {
        PipelineStream least = open[0];
        foreach (PipelineStream stream in open)
        {
            least = stream.Load < least.Load ? stream : least;
        }

        return least;
    }

    // Called in each interval while there are calls or additional streams. Returns false if nothing is left to decide until the next call.
    private bool Plan()
    {
        EndUnused();
        lock (_lock)
        {
            if (_open.Length == 0 || _closing.IsCancellationRequested)
            {
                return _leaving.Count > 0;
            }

            // After a delay of the timer, two ticks can follow each other immediately. The second one measures nothing.
            TimeSpan interval = Elapsed - _plannedAt;
            if (interval < StreamPlan.Interval / 2)
            {
                return true;
            }

            _plannedAt += interval;
            Span<StreamUse> uses = stackalloc StreamUse[_open.Length];
            bool hasCalls = Measure(uses, interval);
            int difference = _plan.Decide(uses, _opening, Elapsed);
            for (int i = 0; i < uses.Length; i++)
            {
                _open[i].MoveCalls(uses[i].CallsToMove);
            }

            ChangeStreamCount(difference);
            return hasCalls || _opening > 0 || _leaving.Count > 0 || _open.Length > _plan.Least;
        }
    }

    /// <summary>Opens as many additional streams as the difference states, or stops using one stream if it is negative.</summary>
    internal void ChangeStreamCount(int difference)
    {
        lock (_lock)
        {
            for (int i = 0; i < difference; i++)
            {
                _opening++;
                // The connection outlives the call that caused it, so it must not inherit the execution context of the call.
                using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
                _ = OpenAnotherAsync(_open.Length > 0 ? _open[0].Cache : "");
            }

            INearStream? near = _near?.Stream;
            if (difference < 0 && _open.Length > 1 && Array.FindLast(_open, stream => stream != near) is { } leaving)
            {
                leaving.ChangedAt = Elapsed;
                StopUsing(leaving);
                _leaving.Add(leaving);
                // It must not become the near stream.
                _near?.Lost(leaving);
            }
        }
    }

    private TimeSpan Elapsed => Clock.Between(0, Clock.Now);

    // Reads the use of each open stream since the last decision. Returns whether there were calls. The caller must hold the lock.
    private bool Measure(Span<StreamUse> uses, TimeSpan interval)
    {
        bool hasCalls = false;
        for (int i = 0; i < uses.Length; i++)
        {
            TimeSpan busy = _open[i].TakeBusyTime();
            uses[i].Busy = Math.Clamp(busy / interval, 0, 1);
            uses[i].MostCalls = _open[i].TakeMostCalls();
            hasCalls |= uses[i].MostCalls > 0;
        }

        return hasCalls;
    }

    private async Task OpenAnotherAsync(string cache)
    {
        await PoolQueue.Work.Yield();
        PipelineStream? stream = null;
        Failure failure = default;
        try
        {
            (stream, failure) = await OpenStreamAsync(cache).On(PoolQueue.Work);
        }
        catch (OperationCanceledException)
        {
            // The client is being closed.
            return;
        }

        if (stream is null)
        {
            TimeSpan wait;
            lock (_lock)
            {
                _opening--;
                wait = _plan.Failed(Elapsed);
            }

            Log.AdditionalStreamFailed(_logger, _endpoint, failure.Code, failure.Message, wait.TotalSeconds);
            return;
        }

        AddAnother(stream);
    }

    private void AddAnother(PipelineStream stream)
    {
        _near?.Offer(stream);
        List<(Call Call, long Version)> parked;
        lock (_lock)
        {
            _opening--;
            if (_link.Phase is LinkPhase.Closed or LinkPhase.Unary)
            {
                _ = stream.EndAsync(_link.RefusalOf(Clock.Now) ?? new Failure(StatusCode.Cancelled, "The server no longer supports the pipeline."));
                return;
            }

            if (_open.Length == 0)
            {
                // All other streams were lost in the meantime, so this one is the first again.
                _link.TryOpen(Clock.Now, out _);
                Announce(null);
            }

            Use(stream);
            parked = TakeParked();
        }

        stream.Run();
        SendAll(parked);
        Log.AdditionalStreamOpened(_logger, _endpoint, Volatile.Read(ref _open).Length);
    }

    // Retires the leaving streams that have no calls in flight. A caller may have chosen a stream just before it began to leave, so one interval must have
    // passed.
    private void EndUnused()
    {
        PipelineStream[] unused;
        lock (_lock)
        {
            unused = [.. _leaving.Where(stream => Elapsed - stream.ChangedAt >= StreamPlan.Interval)];
        }

        foreach (PipelineStream stream in unused)
        {
            if (stream.TryRetireIdle())
            {
                Log.AdditionalStreamClosed(_logger, _endpoint);
                lock (_lock)
                {
                    _leaving.Remove(stream);
                }
            }
        }
    }
}
