using System.Net;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Services;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Security;

/// <summary>
/// Checks every call before its body is read. Rejects the call if its address is blocked, if it is not authenticated, or if it does not have the required role.
/// Rejected calls are counted and audited. If an address is blocked, connections from it that have already authenticated are not affected. Well-behaved clients
/// are therefore not blocked because of other clients behind the same address.
/// </summary>
internal sealed class Authenticator(SecretFiles secrets, ServerMetrics metrics, TimeProvider time, ILogger logger)
{
    private static readonly CallError Shut = new(
        StatusCode.Unauthenticated,
        "too many calls from this address had no valid token; new connections from the address are refused for "
            + $"{AuthenticationRateLimiter.BlockTime.TotalSeconds:0} s");

    private readonly AuthenticationRateLimiter _rateLimiter = new(time);

    // The console has a separate rate limiter, so that a program that uses a wrong token on the data port does not block metrics scrapers and operators.
    private readonly AuthenticationRateLimiter _consoleRateLimiter = new(time);

    /// <summary>Gets the audit of rejected calls and changes.</summary>
    public Audit Audit { get; } = new(time);

    /// <summary>Gets the access control; null if no token file is configured.</summary>
    public AccessControl? Access => secrets.Access;

    /// <summary>Gets whether authentication is required.</summary>
    public bool Asks => secrets.Access is not null || secrets.Gate.IsClosed;

    /// <summary>Checks a call. Returns null if the call may proceed, otherwise the error.</summary>
    public Status? Check(RpcContext context)
    {
        if (HealthService.Is(context.Path))
        {
            return null;
        }

        if (!context.IsConnectionKnown && _rateLimiter.IsBlocked(context.RemoteAddress))
        {
            metrics.CountRateLimited();
            return AccessErrors.StatusOf(Shut);
        }

        if (context.Path == TokenService.Path)
        {
            // The request body contains the token to check, so the called service authenticates the caller. Until then the caller is unknown.
            return null;
        }

        Status? refusal = secrets.Access is { } access ? access.Check(context) : secrets.Gate.Check(context.RequestHeaders);
        if (refusal is { Code: StatusCode.Unauthenticated })
        {
            Failed(_rateLimiter, context.RemoteAddress, context.Path, IsGuess(context.RequestHeaders.Authorization));
        }
        else
        {
            context.IsConnectionKnown = true;
        }

        return refusal;
    }

    /// <summary>
    /// Authenticates the caller that requests a disposable token. Returns the error if the authentication fails. Such a failure counts like any other failure.
    /// </summary>
    public CallError? CheckIssuer(RpcContext context, string token, out AuthenticatedCaller? issuer)
    {
        issuer = null;
        CallError? error;
        if (secrets.Access is { } access)
        {
            error = access.Authenticate(context, token, out issuer);
        }
        else
        {
            error = secrets.Gate.Accepts(token) ? null : token.Length == 0 ? AccessErrors.NoToken : AccessErrors.UnknownToken;
        }

        if (error is not null)
        {
            Failed(_rateLimiter, context.RemoteAddress, context.Path, IsGuess(token));
        }

        return error;
    }

    /// <summary>Counts and audits a call that the caller's token does not permit.</summary>
    public void Denied(RpcContext context)
    {
        switch (context.Caller)
        {
            case DeniedCall noted:
                Denied(noted.Who, context.RemoteAddress, context.Path, noted.Cache);
                break;
            default:
                if (secrets.Access is { } access)
                {
                    string who = access.CallerIdOfCall(context);
                    Denied(who, context.RemoteAddress, context.Path, context.RequestHeaders[CallRouting.CacheHeader]);
                }

                break;
        }
    }

    /// <summary>
    /// Stores the denied token and cache of a call whose request body contains the cache or the token. The denial is audited when the call ends.
    /// </summary>
    public static void NoteDenied(RpcContext context, string who, string cache) => context.Caller = new DeniedCall(who, cache);

    /// <summary>Counts and audits an operation that the caller's token does not permit.</summary>
    public void Denied(string who, IPAddress? address, string path, string cache)
    {
        metrics.PermissionDenied();
        Audit.Note(AuditKind.Denied, who, address?.ToString() ?? "", path, cache);
    }

    /// <summary>Returns whether requests to the console from an address are blocked.</summary>
    public bool IsConsoleBlocked(IPAddress? address)
    {
        bool isShut = _consoleRateLimiter.IsBlocked(address);
        if (isShut)
        {
            metrics.CountRateLimited();
        }

        return isShut;
    }

    /// <summary>Counts and audits a console request with an invalid token.</summary>
    public void ConsoleFailed(IPAddress? address, string token) => Failed(
        _consoleRateLimiter,
        address,
        "console",
        IsGuess(token) && !secrets.ConsoleGate.HasAccepted(token) && !secrets.AdminGate.HasAccepted(token));

    // A missing token is not an attempt to guess a token. A stale token is not such an attempt either, because all instances of an application behind one
    // address may present their old token at the same time.
    private bool IsGuess(string token) => token.Length > 0 && !(secrets.Access?.HasKnown(token) ?? secrets.Gate.HasAccepted(token));

    private void Failed(AuthenticationRateLimiter limiter, IPAddress? address, string what, bool isGuess)
    {
        metrics.AuthenticationFailed();
        bool isConsole = limiter == _consoleRateLimiter;
        Audit.RecordUnauthenticated(AuditKind.Unauthenticated, address, isConsole, what);
        if (isGuess && limiter.Failed(address))
        {
            Audit.RecordUnauthenticated(AuditKind.DoorShut, address, isConsole, what);
            Log.DoorShut(
                logger,
                address?.ToString() ?? "",
                AuthenticationRateLimiter.MaxFailures,
                AuthenticationRateLimiter.Window.TotalSeconds,
                AuthenticationRateLimiter.BlockTime.TotalSeconds);
        }
    }

    private sealed record DeniedCall(string Who, string Cache);
}
