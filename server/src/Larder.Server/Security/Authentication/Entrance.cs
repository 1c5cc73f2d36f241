using System.Net;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Services;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Security;

/// <summary>
/// What every call passes before a byte of its body is read: the door, its token, and the role that it needs. Refusals are counted and noted. A connection that
/// has shown a token stays in while the door is shut to its address: who behaves beside somebody who does not is not refused.
/// </summary>
internal sealed class Entrance(SecretFiles secrets, ServerMetrics metrics, TimeProvider time, ILogger logger)
{
    private static readonly CallError Shut = new(
        StatusCode.Unauthenticated,
        $"too many calls from this address had no known token; new connections from it are refused for {Door.ShutFor.TotalSeconds:0} s");

    private readonly Door _door = new(time);

    // Of its own: a program that has lost its token does not keep a scraper and an operator out.
    private readonly Door _consoleDoor = new(time);

    /// <summary>The latest refusals and changes.</summary>
    public Audit Audit { get; } = new(time);

    /// <summary>Who may do what; null: there is no file of tokens.</summary>
    public AccessControl? Access => secrets.Access;

    /// <summary>Whether anything is asked of callers.</summary>
    public bool Asks => secrets.Access is not null || secrets.Gate.IsClosed;

    /// <summary>Null where the call may go on.</summary>
    public Status? Check(RpcContext context)
    {
        if (HealthService.Is(context.Path))
        {
            return null;
        }

        if (!context.IsConnectionKnown && _door.IsShut(context.RemoteAddress))
        {
            metrics.DoorRefused();
            return AccessErrors.StatusOf(Shut);
        }

        if (context.Path == TokenService.Path)
        {
            // Its request says who asks: it is asked by its service, and until then nobody is known by it.
            return null;
        }

        Status? refusal = secrets.Access is { } access ? access.Check(context) : secrets.Gate.Check(context.RequestHeaders);
        if (refusal is { Code: StatusCode.Unauthenticated })
        {
            Failed(_door, context.RemoteAddress, context.Path, IsGuess(context.RequestHeaders.Authorization));
        }
        else
        {
            context.IsConnectionKnown = true;
        }

        return refusal;
    }

    /// <summary>Who asks for a disposable token; why not where it is nobody. A failure counts as any other.</summary>
    public CallError? CheckIssuer(RpcContext context, string token, out KnownToken? issuer)
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
            Failed(_door, context.RemoteAddress, context.Path, IsGuess(token));
        }

        return error;
    }

    /// <summary>Counts and notes a call that its token may not make.</summary>
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
                    string who = access.WhoMakes(context);
                    Denied(who, context.RemoteAddress, context.Path, context.RequestHeaders[CallRouting.CacheHeader]);
                }

                break;
        }
    }

    /// <summary>The call is denied for a cache that its request names, or its token is in its request: that is noted when it ends.</summary>
    public static void NoteDenied(RpcContext context, string who, string cache) => context.Caller = new DeniedCall(who, cache);

    /// <summary>Counts and notes an operation that a token may not make.</summary>
    public void Denied(string who, IPAddress? address, string path, string cache)
    {
        metrics.PermissionDenied();
        Audit.Note(AuditKind.Denied, who, address?.ToString() ?? "", path, cache);
    }

    /// <summary>Whether the console refuses an address for a while.</summary>
    public bool IsConsoleShut(IPAddress? address)
    {
        bool isShut = _consoleDoor.IsShut(address);
        if (isShut)
        {
            metrics.DoorRefused();
        }

        return isShut;
    }

    /// <summary>Counts and notes a request to the console whose token is none that it takes.</summary>
    public void ConsoleFailed(IPAddress? address, string token) => Failed(
        _consoleDoor,
        address,
        "console",
        IsGuess(token) && !secrets.ConsoleGate.HasAccepted(token) && !secrets.AdminGate.HasAccepted(token));

    // Who shows nothing guesses nothing, and nor does a program that is late: a fleet behind one address shows its old tokens all at once.
    private bool IsGuess(string token) => token.Length > 0 && !(secrets.Access?.HasKnown(token) ?? secrets.Gate.HasAccepted(token));

    private void Failed(Door door, IPAddress? address, string what, bool isGuess)
    {
        metrics.AuthenticationFailed();
        bool isConsole = door == _consoleDoor;
        Audit.NoteStranger(AuditKind.Unauthenticated, address, isConsole, what);
        if (isGuess && door.Failed(address))
        {
            Audit.NoteStranger(AuditKind.DoorShut, address, isConsole, what);
            Log.DoorShut(logger, address?.ToString() ?? "", Door.MaxFailures, Door.Window.TotalSeconds, Door.ShutFor.TotalSeconds);
        }
    }

    private sealed record DeniedCall(string Who, string Cache);
}
