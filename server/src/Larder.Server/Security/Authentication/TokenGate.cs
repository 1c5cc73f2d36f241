using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>Checks the <c>authorization</c> metadata against the server's token, in constant time. Accepts every call if no token is configured.</summary>
internal sealed class TokenGate
{
    private readonly RevokedTokens _former;

    private static readonly Status NoToken = new(StatusCode.Unauthenticated, "the call has no token; send it in the 'authorization' metadata");
    private static readonly Status WrongToken = new(StatusCode.Unauthenticated, "unknown token; check the client's token");

    // The gate compares digests, which all have the same length. The comparison therefore does not leak the length of the token.
    private volatile byte[]? _digest;

    /// <param name="token">The token; null if no token is required.</param>
    /// <param name="time">The clock that determines when former tokens are removed.</param>
    public TokenGate(string? token, TimeProvider time)
    {
        _digest = token is null ? null : Digest(token);
        _former = new RevokedTokens(time);
    }

    /// <summary>Gets whether a token is required.</summary>
    public bool IsClosed => _digest is not null;

    /// <summary>Replaces the required token. The new token applies to future calls.</summary>
    public void Replace(string token)
    {
        byte[] next = Digest(token);
        if (_digest is { } digest && !digest.AsSpan().SequenceEqual(next))
        {
            _former.Add([MemoryMarshal.Read<TokenDigest>(digest)]);
        }

        _digest = next;
    }

    /// <summary>Returns whether the given token was the required token until recently.</summary>
    public bool HasAccepted(string token) => _former.Has(token);

    /// <summary>Returns whether a token is valid. Always returns true if no token is required.</summary>
    public bool Accepts(string token) => _digest is not { } digest || CryptographicOperations.FixedTimeEquals(Digest(token), digest);

    /// <summary>Checks a call. Returns null if the call may proceed, otherwise the error.</summary>
    public Status? Check(RpcRequestHeaders headers)
    {
        if (!IsClosed)
        {
            return null;
        }

        string token = headers.Authorization;
        if (token.Length == 0)
        {
            return NoToken;
        }

        return Accepts(token) ? null : WrongToken;
    }

    private static byte[] Digest(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));
}
