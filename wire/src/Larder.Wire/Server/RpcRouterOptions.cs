namespace Larder.Wire;

/// <summary>What a server's calls have in common.</summary>
public sealed record RpcRouterOptions
{
    /// <summary>
    /// The largest message accepted, in bytes, compressed or not; a larger one is answered RESOURCE_EXHAUSTED and nothing is allocated for it.
    /// Default 11,010,048 (10.5 MB), the contract's.
    /// </summary>
    public int MaxReceiveMessageBytes { get; init; } = MessageLimit.DefaultBytes;

    /// <summary>
    /// Returns the largest request of the call with a path, in bytes; it is asked once, when the call is mapped, and never exceeds
    /// <see cref="MaxReceiveMessageBytes"/>. Does not apply to bidirectional calls. Default: that, for every call.
    /// </summary>
    public Func<string, int>? MaxRequestBytes { get; init; }

    /// <summary>The <c>err</c> trailer on the answer to a message over the limit; null for none. Default null.</summary>
    public string? MessageLimitCause { get; init; }

    /// <summary>The clock of deadlines and of <see cref="Observer"/>'s times. Default the system's.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Decides, before a byte of the body is read, whether the call may go on: null, or the status to refuse it with. Default: all may.</summary>
    public Func<RpcContext, Status?>? Authorize { get; init; }

    /// <summary>Runs after <see cref="Authorize"/> and may wait or refuse; for injected faults. Default none.</summary>
    public Func<RpcContext, ValueTask<Status?>>? Intercept { get; init; }

    /// <summary>Sees each call begin and end. Default none.</summary>
    public IRpcObserver? Observer { get; init; }

    /// <summary>
    /// Told of an exception that a handler threw and that says no status; the caller sees INTERNAL without its text. Default none.
    /// </summary>
    public Action<RpcContext, Exception>? OnHandlerFault { get; init; }
}
