using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>The errors of rejected calls. A message contains no token. It contains the name of a cache only if the caller has passed that name.</summary>
internal static class AccessErrors
{
    public static readonly CallError NoToken = new(StatusCode.Unauthenticated, "the call has no token; send it in the 'authorization' metadata");
    public static readonly CallError UnknownToken = new(StatusCode.Unauthenticated, "unknown token; check the client's token");
    public static readonly CallError ExpiredToken = new(StatusCode.Unauthenticated, "the token has expired; get a new one");

    public static readonly CallError UnknownCertificate = new(
        StatusCode.Unauthenticated,
        "the call has no token, and no entry of the token file matches a name in the client's certificate");

    public static readonly CallError Unlisted = new(
        StatusCode.PermissionDenied,
        "this operation has no role assigned, so no token permits it");

    /// <summary>Creates the error for a token that does not have the role in the cache.</summary>
    public static CallError Denied(Rights needs, string cache) =>
        new(StatusCode.PermissionDenied, $"the token lacks the role '{NameOf(needs)}' in cache '{cache}'");

    /// <summary>Creates the error for a token that has the role in the cache, but not for every key of the call.</summary>
    public static CallError DeniedKey(Rights needs, string cache) =>
        new(StatusCode.PermissionDenied, $"the token lacks the role '{NameOf(needs)}' in cache '{cache}' for some keys of the call");

    /// <summary>Creates the error for a token that does not have the role for the topic.</summary>
    public static CallError DeniedTopic(Rights needs, string cache) =>
        new(StatusCode.PermissionDenied, $"the token lacks the role '{NameOf(needs)}' for this topic of cache '{cache}'");

    /// <summary>Creates the error for a request for a token with more rights than the caller has.</summary>
    public static CallError DeniedGrant(string cache) =>
        new(
            StatusCode.PermissionDenied,
            $"the token cannot grant the requested permissions in cache '{cache}', because the token itself does not have all of these permissions");

    public static Status StatusOf(CallError error) => new(error.Code, error.Message);

    private static string NameOf(Rights needs) => needs switch
    {
        Rights.Read => "read",
        Rights.Write => "write",
        Rights.ReadWrite => "readwrite",
        _ => "admin",
    };
}
