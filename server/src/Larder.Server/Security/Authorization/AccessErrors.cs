using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>Why a call may not be made. No text has a token in it, or the name of a cache that the caller did not name.</summary>
internal static class AccessErrors
{
    public static readonly CallError NoToken = new(StatusCode.Unauthenticated, "the call carries no token; send it in the 'authorization' metadata");
    public static readonly CallError UnknownToken = new(StatusCode.Unauthenticated, "the call's token is not one of this server's");
    public static readonly CallError ExpiredToken = new(StatusCode.Unauthenticated, "the call's token has expired");

    public static readonly CallError UnknownCertificate = new(
        StatusCode.Unauthenticated,
        "the call carries no token, and no entry without one has a name of its certificate");

    public static readonly CallError Unlisted = new(
        StatusCode.PermissionDenied,
        "the call has no role in the table of operations, so that no token may make it");

    /// <summary>The token has not the role in the cache.</summary>
    public static CallError Denied(Rights needs, string cache) =>
        new(StatusCode.PermissionDenied, $"the call's token has not the role '{NameOf(needs)}' in cache '{cache}'");

    /// <summary>The token has the role in the cache, but not for every key of the call.</summary>
    public static CallError DeniedKey(Rights needs, string cache) =>
        new(StatusCode.PermissionDenied, $"the call's token has not the role '{NameOf(needs)}' in cache '{cache}' for every key of the call");

    /// <summary>The token has not the role for the topic.</summary>
    public static CallError DeniedTopic(Rights needs, string cache) =>
        new(StatusCode.PermissionDenied, $"the call's token has not the role '{NameOf(needs)}' for this topic of cache '{cache}'");

    /// <summary>A token is asked for that may do more than who asks.</summary>
    public static CallError DeniedGrant(string cache) =>
        new(StatusCode.PermissionDenied, $"the call's token may not give what is asked for in cache '{cache}': it has not all of it itself");

    public static Status StatusOf(CallError error) => new(error.Code, error.Message);

    private static string NameOf(Rights needs) => needs switch
    {
        Rights.Read => "read",
        Rights.Write => "write",
        Rights.ReadWrite => "readwrite",
        _ => "admin",
    };
}
