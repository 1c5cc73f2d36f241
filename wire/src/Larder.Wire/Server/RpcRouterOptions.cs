namespace Larder.Wire;

/// <summary>The options that apply to all calls of a server.</summary>
public sealed record RpcRouterOptions
{
    /// <summary>
    /// Gets the maximum size of a message in bytes, compressed or not. A larger message fails with RESOURCE_EXHAUSTED, and no memory is allocated for
    /// it. The default is 11,010,048 (10.5 MB), as the protocol specifies.
    /// </summary>
    public int MaxReceiveMessageBytes { get; init; } = MessageLimit.DefaultBytes;

    /// <summary>
    /// Gets a function that returns the maximum request size, in bytes, of the method with a given path. The function is called once, when the method is
    /// mapped. Its result is limited to <see cref="MaxReceiveMessageBytes"/>. The function is not used for bidirectional methods. By default,
    /// <see cref="MaxReceiveMessageBytes"/> applies to every method.
    /// </summary>
    public Func<string, int>? MaxRequestBytes { get; init; }

    /// <summary>Gets the value of the <c>err</c> trailer for a message above the limit. The default is null, which means that no trailer is sent.</summary>
    public string? MessageLimitCause { get; init; }

    /// <summary>Gets the clock for deadlines and for the times of <see cref="Observer"/>. The default is the system clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// Gets a function that authorizes a call before its body is read. It returns null to accept the call, or the status with which the call is rejected. By
    /// default, all calls are accepted.
    /// </summary>
    public Func<RpcContext, Status?>? Authorize { get; init; }

    /// <summary>
    /// Gets a function that runs after <see cref="Authorize"/> and can delay or reject a call. It is used to inject faults. The default is null.
    /// </summary>
    public Func<RpcContext, ValueTask<Status?>>? Intercept { get; init; }

    /// <summary>Gets the observer of calls and connections. The default is null.</summary>
    public IRpcObserver? Observer { get; init; }

    /// <summary>
    /// Gets a callback for unexpected exceptions from handlers. An <see cref="RpcException"/> is expected, because it contains a status. For unexpected
    /// exceptions, the client gets INTERNAL without the exception's text. The default is null.
    /// </summary>
    public Action<RpcContext, Exception>? OnHandlerFault { get; init; }
}
