using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Server.Fleet;
using Larder.Server.Metrics;
using Larder.Server.Near;
using Larder.Server.Pauses;
using Larder.Server.Security;
using Larder.Store;

namespace Larder.Server.Pipeline;

/// <summary>The state that all pipelines of a server share.</summary>
/// <param name="Store">The caches.</param>
/// <param name="Rules">The limits of the calls.</param>
/// <param name="Metrics">The counters.</param>
/// <param name="Guard">Detects that the process was paused. After a pause, received calls may be older than they appear.</param>
/// <param name="Injector">Decides which faults to inject; null if the server was started without fault injection.</param>
/// <param name="TimeProvider">The clock.</param>
/// <param name="Near">The near streams.</param>
/// <param name="OnFault">Called with the name of the call and the exception if a call fails with an internal error.</param>
/// <param name="Draining">Cancelled when the server begins to shut down.</param>
/// <param name="Gateway">The gateway that runs the calls on a cluster; null if they run on <paramref name="Store"/>.</param>
/// <param name="Authenticator">The authenticator if there is a token file; otherwise null.</param>
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
    RemoteGateway? Gateway = null,
    Authenticator? Authenticator = null);
