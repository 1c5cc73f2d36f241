using System.Buffers;
using System.Text;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Security;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Services;

/// <summary>
/// Issues disposable tokens (AUTH-18 to AUTH-22). As in the public protocol, the request message contains the caller's token. If it contains no token, the
/// token in the metadata is used. Since the token may be in the message, this service authenticates the caller itself.
/// </summary>
internal static class TokenService
{
    public const string Path = "/token.Token/GenerateDisposableToken";

    /// <summary>The maximum length of the ID of a disposable token, in characters.</summary>
    public const int MaxIdCharacters = 64;

    // A placeholder that is never a valid token. It is used if the given text cannot be a token.
    private const string UnknownTokenId = "?";

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <param name="router">The router.</param>
    /// <param name="authenticator">Authenticates callers and counts failures.</param>
    /// <param name="endpoint">Returns the address under which clients reach this server.</param>
    public static void Map(RpcRouter router, Authenticator authenticator, Func<string> endpoint) =>
        router.MapUnary(Path, (request, response, context) =>
        {
            CallError? error = Give(request, authenticator, endpoint, context, out GenerateDisposableTokenResponse given);
            if (error is not null)
            {
                throw CallRouting.Failure(context, error);
            }

            given.WriteTo(response);
            return default;
        });

    private static CallError? Give(
        in ReadOnlySequence<byte> message,
        Authenticator authenticator,
        Func<string> endpoint,
        RpcContext context,
        out GenerateDisposableTokenResponse given)
    {
        given = new GenerateDisposableTokenResponse();
        ReadOnlySpan<byte> bytes = message.IsSingleSegment ? message.FirstSpan : message.ToArray();
        bool isRead = TryRead(bytes, out Asked asked);
        string shown = asked.Token.IsEmpty ? context.RequestHeaders.Authorization : TextOf(asked.Token, DisposableToken.MaxCharacters) ?? UnknownTokenId;
        if (authenticator.CheckIssuer(context, shown, out AuthenticatedCaller? asker) is { } stranger)
        {
            return stranger;
        }

        if (authenticator.Access is not { Table.Keys: { } keys } access)
        {
            return new CallError(StatusCode.Unimplemented, "this server cannot issue disposable tokens; start it with --tokens and --token-key");
        }

        if (!isRead)
        {
            return CallError.Malformed;
        }

        TokenEntry issuer = asker!.Entry;
        if (Refuse(asked, issuer, out ulong seconds, out string id, out IReadOnlyList<Grant> grants) is { } refusal)
        {
            return refusal;
        }

        if (grants.FirstOrDefault(grant => !grant.IsHeldBy(issuer)) is { } beyond)
        {
            Authenticator.NoteDenied(context, issuer.Id, beyond.Cache);
            return AccessErrors.DeniedGrant(beyond.Cache);
        }

        long now = access.Time.GetUtcNow().ToUnixTimeSeconds();
        long end = Math.Min(now + (long)seconds, asker.Expires?.ToUnixTimeSeconds() ?? long.MaxValue);
        if (DisposableToken.Write(issuer.Id, id, end, asked.Permissions, keys) is not { } key)
        {
            return TooLong;
        }

        given = new GenerateDisposableTokenResponse { ApiKey = key, Endpoint = endpoint(), ValidUntil = (ulong)end };
        // The audit entry does not contain the token's ID. Otherwise, each token would have its own line in the audit log. An issuer that requests many tokens
        // would then evict all other lines.
        authenticator.Audit.Note(AuditKind.TokenGiven, issuer.Id, context.RemoteAddress?.ToString() ?? "", Path);
        return null;
    }

    private static CallError? Refuse(in Asked asked, TokenEntry issuer, out ulong seconds, out string id, out IReadOnlyList<Grant> grants)
    {
        grants = [];
        id = TextOf(asked.TokenId, MaxIdCharacters) ?? "";
        if (!TryReadSeconds(asked.Expires, out seconds))
        {
            return CallError.Malformed;
        }

        return issuer.Issuer is not null ? new CallError(StatusCode.PermissionDenied, "disposable tokens cannot issue tokens")
            : seconds is < 1 || seconds > DisposableToken.MaxLife.TotalSeconds
                ? Invalid($"the token's lifetime must be 1 to {DisposableToken.MaxLife.TotalSeconds:0} s, but is {seconds} s")
            : (id.Length == 0 && !asked.TokenId.IsEmpty) || id.Any(char.IsControl)
                ? Invalid($"the token's id must be at most {MaxIdCharacters} characters without control characters")
            : asked.Permissions.Length > DisposableToken.MaxCharacters ? TooLong
            : PermissionsReader.Read(asked.Permissions, out grants) is { } fault ? Invalid(fault)
            : null;
    }

    // The size is also checked before the permissions are parsed, so that no grants are created for permissions that do not fit into a token.
    private static CallError TooLong =>
        Invalid($"with these permissions, the token would exceed {DisposableToken.MaxCharacters} characters; request fewer permissions");

    private static CallError Invalid(string text) => new(StatusCode.InvalidArgument, text);

    private static bool TryRead(ReadOnlySpan<byte> message, out Asked asked)
    {
        asked = default;
        ProtoReader reader = new(message);
        while (reader.NextField())
        {
            bool isBytes = reader.WireType == ProtoWireType.LengthDelimited;
            _ = reader.Field switch
            {
                1 when isBytes => reader.TryReadBytes(out asked.Expires),
                2 when isBytes => reader.TryReadBytes(out asked.Token),
                3 when isBytes => reader.TryReadBytes(out asked.Permissions),
                4 when isBytes => reader.TryReadBytes(out asked.TokenId),
                _ => reader.TrySkip(),
            };
        }

        return !reader.IsMalformed;
    }

    private static bool TryReadSeconds(ReadOnlySpan<byte> expires, out ulong seconds)
    {
        seconds = 0;
        ProtoReader reader = new(expires);
        while (reader.NextField())
        {
            _ = reader.Is(1, ProtoWireType.Varint) ? reader.TryReadVarint(out seconds) : reader.TrySkip();
        }

        return !reader.IsMalformed;
    }

    // Returns null if the bytes are not valid text or the text is too long. Bytes that are much too long are not decoded.
    private static string? TextOf(ReadOnlySpan<byte> bytes, int maxCharacters)
    {
        try
        {
            return bytes.Length <= 4 * maxCharacters && Utf8.GetString(bytes) is { } text && text.Length <= maxCharacters ? text : null;
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    // A decoded request. Its spans are parts of the message and are not copied.
    private ref struct Asked
    {
        public ReadOnlySpan<byte> Expires;
        public ReadOnlySpan<byte> Token;
        public ReadOnlySpan<byte> Permissions;
        public ReadOnlySpan<byte> TokenId;
    }
}
