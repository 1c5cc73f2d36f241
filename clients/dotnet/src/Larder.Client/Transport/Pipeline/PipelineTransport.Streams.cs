using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Client.Pipeline;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <content>
/// Chooses the stream of each call, and opens and closes additional streams (<see cref="StreamPlan"/>).
/// <para>
/// Design: a caller that is resumed by a stream sends its next call on the same stream. The request, its response and the caller then stay on one processor, and
/// the calls of all callers that are resumed together are sent together. Any other caller uses the less loaded of two random streams. Gets whose values the near
/// cache may store use the near stream, because only its responses may be stored (NEAR-20).
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
    private long _plannedAt;

    // Sends a call on an open stream. Returns false, without changing the call, if no stream is open or none accepts the call.
    private bool TrySendPipelined(Call call, long version)
    {
        PipelineStream[] open = Volatile.Read(ref _open);
        if (_mayHaveSeveral && open.Length > 0)
        {
            _planning.Wake();
        }

        // A stream that does not accept the call has just been removed from the open streams. So the number of tries is limited.
        for (int tries = open.Length; tries > 0; tries--)
        {
            PipelineStream? stream = open.Length > 1 ? Choose(open, call) : open.Length == 1 ? open[0] : null;
            if (stream is null)
            {
                return false;
            }

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
        if (_near?.Stream is PipelineStream near
            && call is TypedCall<GetOperation, LookupResult<CacheValue>> get
            && open.Contains(near)
            && _near.Covers(call.Cache, get.Request.Asked))
        {
            return near;
        }

        if (DuplexCall.CurrentReceiver is PipelineStream own && open.Contains(own))
        {
            return own.TryPassOn() ? LeastLoaded(open) : own;
        }

        int first = Random.Shared.Next(open.Length);
        int second = Random.Shared.Next(open.Length - 1);
        second = second < first ? second : second + 1;
        return open[first].Load <= open[second].Load ? open[first] : open[second];
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
        bool goesOn;
        lock (_lock)
        {
            if (_open.Length == 0 || _closing.IsCancellationRequested)
            {
                return false;
            }

            Span<StreamUse> uses = stackalloc StreamUse[_open.Length];
            bool hasCalls = Measure(uses);
            int difference = _plan.Decide(uses, _opening, Elapsed);
            for (int i = 0; i < uses.Length; i++)
            {
                _open[i].PassOn(uses[i].PassesOn);
            }

            Change(difference);
            goesOn = hasCalls || _opening > 0 || _leaving.Count > 0 || _open.Length > _plan.Least;
        }

        EndUnused();
        return goesOn;
    }

    /// <summary>Opens as many additional streams as the difference states, or stops using one stream if it is negative.</summary>
    internal void Change(int difference)
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

            if (difference < 0 && _open.Length > 1)
            {
                PipelineStream leaving = _open.Last(stream => stream != _near?.Stream);
                Volatile.Write(ref _open, [.. _open.Where(open => open != leaving)]);
                _leaving.Add(leaving);
            }
        }
    }

    private TimeSpan Elapsed => Clock.Between(0, Clock.Now);

    // Reads the use of each open stream since the last decision. Returns whether there were calls. The caller must hold the lock.
    private bool Measure(Span<StreamUse> uses)
    {
        long now = Clock.Now;
        TimeSpan interval = Clock.Between(_plannedAt, now);
        _plannedAt = now;
        bool hasCalls = false;
        for (int i = 0; i < uses.Length; i++)
        {
            TimeSpan busy = _open[i].TakeBusyTime();
            uses[i].Busy = interval > TimeSpan.Zero ? Math.Clamp(busy / interval, 0, 1) : 0;
            uses[i].MostCalls = _open[i].TakeMostCalls();
            hasCalls |= uses[i].MostCalls > 0;
        }

        return hasCalls;
    }

    private async Task OpenAnotherAsync(string cache)
    {
        await PoolQueue.Work.Yield();
        try
        {
            (PipelineStream? stream, Failure failure) = await OpenStreamAsync(cache).On(PoolQueue.Work);
            if (stream is null)
            {
                TimeSpan wait;
                lock (_lock)
                {
                    wait = _plan.Failed(Elapsed);
                }

                Log.AdditionalStreamFailed(_logger, _endpoint, failure.Code, failure.Message, wait.TotalSeconds);
            }
            else
            {
                Add(stream);
            }
        }
        catch (OperationCanceledException)
        {
            // The client is being closed.
        }
        finally
        {
            lock (_lock)
            {
                _opening--;
            }
        }
    }

    private void Add(PipelineStream stream)
    {
        _near?.Offer(stream);
        List<(Call Call, long Version)> parked;
        lock (_lock)
        {
            if (_link.Phase is LinkPhase.Closed or LinkPhase.Unary)
            {
                _ = stream.EndAsync(new Failure(StatusCode.Cancelled, "The client was closed."));
                return;
            }

            _plan.Opened();
            Use(stream);
            // The other streams may have been lost in the meantime, so that calls wait.
            parked = TakeParked();
        }

        Log.AdditionalStreamOpened(_logger, _endpoint, Volatile.Read(ref _open).Length);
        stream.Run();
        SendAll(parked);
    }

    // Retires the leaving streams that have no calls in flight.
    private void EndUnused()
    {
        PipelineStream[] unused;
        lock (_lock)
        {
            unused = [.. _leaving.Where(static stream => stream.Outstanding == 0)];
            _leaving.RemoveAll(stream => unused.Contains(stream) || !_streams.Contains(stream));
        }

        foreach (PipelineStream stream in unused)
        {
            stream.Retire("the load needs fewer streams");
        }
    }
}
