using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Server.Fleet;
using Larder.Server.Metrics;
using Larder.Server.Near;
using Larder.Server.Pauses;
using Larder.Server.Security;
using Larder.Store;

namespace Larder.Server.Pipeline;

/// <summary>What every pipeline of one server shares.</summary>
/// <param name="Store">The caches.</param>
/// <param name="Rules">The limits of each call.</param>
/// <param name="Metrics">Where calls are counted.</param>
/// <param name="Guard">Knows when calls may be older than they look.</param>
/// <param name="Injector">Decides injected faults; null unless the server was started with fault injection.</param>
/// <param name="TimeProvider">The clock.</param>
/// <param name="Near">The near streams.</param>
/// <param name="OnFault">Told of a call that failed by a fault of the server's own: its name and what was thrown.</param>
/// <param name="Draining">Cancelled when the server begins to go away.</param>
/// <param name="Front">The cluster that calls run on; null: they run on <paramref name="Store"/>.</param>
/// <param name="Entrance">Who may do what, where there is a file of tokens; null: there is none.</param>
internal sealed record PipelineHost(
    CacheStore Store,
    CallRules Rules,
    ServerMetrics Metrics,
    PauseGuard Guard,
    FaultInjector? Injector,
    TimeProvider TimeProvider,
    NearHub Near,
    Action<string, Exception> OnFault,
    CancellationToken Draining,
    RemoteFront? Front = null,
    Entrance? Entrance = null);
