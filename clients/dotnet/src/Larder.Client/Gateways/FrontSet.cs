using System.Net;
using Larder.Client.Calls;
using Larder.Client.Fronts;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Client.Pipeline;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// Several servers that hold the same items (spec/fronts.md): a transport for each, and for each attempt the choice among those that are up. A call that
/// finds none up waits here, and not with one of them, so that the first that is there has it. While a name turns out to be one server, calls go to that
/// server's transport without passing through here.
/// </summary>
internal sealed partial class FrontSet : ITransport
{
    private readonly FrontSetOptions _options;
    private readonly CallRunner _runner;
    private readonly Clock _clock;
    private readonly long _startedAt;
    private readonly Func<TimeSpan> _now;
    private readonly ILogger _logger;
    private readonly Lock _lock = new();
    private readonly List<(Call Call, long Version)> _waiting = [];
    private readonly CancellationTokenSource _closing = new();
    private readonly HashSet<Front> _leaving = [];
    private Front[] _fronts;

    public FrontSet(FrontSetOptions options, CallRunner runner, ILogger logger)
    {
        _options = options;
        _runner = runner;
        _clock = runner.Clock;
        _startedAt = _clock.Now;
        _now = () => _clock.Between(_startedAt, _clock.Now);
        _logger = logger;
        _fronts = [.. options.Addresses.Select(address => Make(address, at: null))];
        _resolved = new IPAddress[options.Addresses.Count][];
    }

    /// <summary>Begins to resolve names, once calls can be given another way.</summary>
    public void Begin()
    {
        if (_options.Addresses.Any(static address => address.IsName))
        {
            _ = ResolveAsync();
        }
    }

    /// <summary>The transport that calls take by themselves while there is but one server, reached by its name; otherwise null.</summary>
    public ITransport? Only => Volatile.Read(ref _fronts) is [{ At: null } only] ? only.Transport : null;

    public string State => Only is { } only
        ? only.State
        : string.Join("; ", Volatile.Read(ref _fronts).Select(static front => $"{front.Name} {front.Transport.State}"));

    public int Connections => Volatile.Read(ref _fronts).Sum(static front => front.Transport.Connections);

    public bool IsPipelined => Volatile.Read(ref _fronts).Any(static front => front.Transport.IsPipelined);

    public void Start(Call call, long version) => Send(call, version, isCallersThread: true);

    public void Resume(Call call, long version) => Send(call, version, isCallersThread: false);

    public void Abandon(Call call, long version)
    {
        if (call.Route is PipelineStream stream)
        {
            stream.Abandon(call, version);
        }
        else
        {
            UnaryTransport.Abandon(call);
        }
    }

    /// <summary>What is held of each front now, in the order given.</summary>
    public FrontStatistics[] Statistics() => [.. Volatile.Read(ref _fronts).Select(static front => front.Statistics())];

    /// <summary>The fronts there are now, and whether calls go to them: for those who make connections of their own.</summary>
    public IReadOnlyList<(FrontAddress Address, IPAddress? At, bool IsUp)> Reachable =>
        [.. Volatile.Read(ref _fronts).Select(front => (front.Address, front.At, Takes(front)))];

    /// <summary>A call's attempt was refused by its front, and not executed (FRONT-9).</summary>
    public void OnRefused(Front? front) => front?.Refused(_now(), _options.Random());

    public async ValueTask DisposeAsync()
    {
        Cancellation.Cancel(_closing);
        List<(Call Call, long Version)> waiting;
        Front[] fronts;
        lock (_lock)
        {
            waiting = TakeWaiting();
            fronts = [.. _fronts, .. _leaving];
        }

        FailAll(waiting, new Failure(StatusCode.Cancelled, "The client was closed."));
        await Task.WhenAll(fronts.Select(static front => front.Transport.DisposeAsync().AsTask())).ConfigureAwait(false);
    }

    private void Send(Call call, long version, bool isCallersThread)
    {
        Front? failedBy = call.HasFailed ? call.Front : null;
        if (_runner.Near is { } near && NearFront(near, call) is { } kept && kept != failedBy && TrySend(kept, call, version, isCallersThread))
        {
            return;
        }

        // A front that is lost just now, or out of ids, takes the call no more; each may be met so once.
        for (int tries = Volatile.Read(ref _fronts).Length; tries >= 0 && Choose(failedBy) is { } front; tries--)
        {
            if (TrySend(front, call, version, isCallersThread))
            {
                return;
            }
        }

        Wait(call, version);
    }

    private static bool TrySend(Front front, Call call, long version, bool isCallersThread)
    {
        call.Front = front;
        return front.Transport.TrySend(call, version, isCallersThread);
    }

    // Of a get whose answer may be kept the front that has the near stream (NEAR-20); null: any other does as well.
    private Front? NearFront(NearReads near, Call call)
    {
        if (near.Stream is { } stream && call is TypedCall<GetOperation, GetResponse> get && near.Covers(call.Cache, get.Request.Asked))
        {
            foreach (Front front in Volatile.Read(ref _fronts))
            {
                if (front.Transport == stream.Owner)
                {
                    return Takes(front) ? front : null;
                }
            }
        }

        return null;
    }

    private Front? Choose(Front? failedBy)
    {
        Front[] fronts = Volatile.Read(ref _fronts);
        (int one, int other) = FrontChoice.Draw(fronts.Length, _options.Random(), _options.Random());
        Front first = fronts[one];
        Front second = fronts[other];
        return first != failedBy && second != failedBy && Takes(first) && Takes(second) ? LessLoaded(first, second) : ChooseAmongFew(fronts, failedBy);
    }

    // Not all that were drawn can be had: the draw is made among those that are up, or of none, those set aside; a retry goes to another if there is one.
    private Front? ChooseAmongFew(Front[] fronts, Front? failedBy)
    {
        Span<int> some = stackalloc int[ServerAddress.MostFronts];
        int count = 0;
        for (int i = 0; i < fronts.Length; i++)
        {
            if (Takes(fronts[i]))
            {
                some[count++] = i;
            }
        }

        bool isNoneTaking = count == 0;
        for (int i = 0; isNoneTaking && i < fronts.Length; i++)
        {
            if (fronts[i].Transport.IsReady)
            {
                some[count++] = i;
            }
        }

        int failed = count > 1 ? some[..count].IndexOf(Array.IndexOf(fronts, failedBy)) : -1;
        if (failed >= 0)
        {
            some[failed] = some[--count];
        }

        return DrawFrom(fronts, some[..count]);
    }

    private Front? DrawFrom(Front[] fronts, ReadOnlySpan<int> some)
    {
        if (some.IsEmpty)
        {
            return null;
        }

        (int one, int other) = FrontChoice.Draw(some.Length, _options.Random(), _options.Random());
        return LessLoaded(fronts[some[one]], fronts[some[other]]);
    }

    private static Front LessLoaded(Front first, Front second) =>
        first == second ? first : FrontChoice.LessLoaded(first, first.Transport.InFlight, second, second.Transport.InFlight);

    private bool Takes(Front front)
    {
        if (front.Transport.IsReady)
        {
            return !front.IsAside(_now);
        }

        EnsureConnecting(front);
        return false;
    }

    private Front Make(FrontAddress address, IPAddress? at) => new(address, at, _options.Connect(address, at), _options.LongestWait);

    private static void FailAll(List<(Call Call, long Version)> calls, in Failure failure)
    {
        foreach ((Call call, long version) in calls)
        {
            call.Fail(version, failure);
        }
    }
}
