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
/// Several gateways with the same items (spec/fronts.md). Each has its own transport, and each attempt of a call chooses one of those that are up. If none is
/// up, calls wait here instead of at one gateway, so that the first one available gets them. While there is only one gateway, calls go directly to its
/// transport.
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

    /// <summary>Starts to resolve names. Calls must be routable by now.</summary>
    public void Begin()
    {
        if (_options.Addresses.Any(static address => address.IsName))
        {
            _ = ResolveAsync();
        }
    }

    /// <summary>The transport to which calls go directly while there is only one gateway, reached by its name; otherwise null.</summary>
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

    /// <summary>Returns the current statistics of each gateway, in the given order.</summary>
    public FrontStatistics[] Statistics() => [.. Volatile.Read(ref _fronts).Select(static front => front.Statistics())];

    /// <summary>The current gateways and whether calls go to them, for code that opens its own connections.</summary>
    public IReadOnlyList<(FrontAddress Address, IPAddress? At, bool IsUp)> Reachable =>
        [.. Volatile.Read(ref _fronts).Select(front => (front.Address, front.At, Takes(front)))];

    /// <summary>Records that a gateway has rejected an attempt, which was not executed (FRONT-9).</summary>
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

        // A gateway that has just lost its connection or is out of ids no longer accepts the call. This may happen once per gateway.
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

    // Returns the gateway with the near stream for a get whose value may be cached (NEAR-20), or null if any gateway will do.
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

    // Not all chosen gateways are usable. Choose among those that are up or, if there are none, among those out of rotation. A retry goes to another gateway if
    // there is one.
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
