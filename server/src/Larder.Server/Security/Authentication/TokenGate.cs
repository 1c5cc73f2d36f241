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

    // All digests have the same length, so the comparison does not leak the token's length.
    private volatile byte[]? _digest;

    /// <param name="token">The token; null if none is required.</param>
    /// <param name="time">The clock by which former tokens are forgotten.</param>
    public TokenGate(string? token, TimeProvider time)
    {
        _digest = token is null ? null : Digest(token);
        _former = new RevokedTokens(time);
    }

    /// <summary>Gets whether a token is required.</summary>
    public bool IsClosed => _digest is not null;

    /// <summary>Replaces the required token for future calls.</summary>
    public void Replace(string token)
    {
        byte[] next = Digest(token);
        if (_digest is { } digest && !digest.AsSpan().SequenceEqual(next))
        {
            _former.Add([MemoryMarshal.Read<TokenDigest>(digest)]);
        }

        _digest = next;
    }

    /// <summary>Returns whether the token was the server's until recently.</summary>
    public bool HasAccepted(string token) => _former.Has(token);

    /// <summary>Returns whether a token is valid. Always true if none is required.</summary>
    public bool Accepts(string token) => _digest is not { } digest || CryptographicOperations.FixedTimeEquals(Digest(token), digest);

    /// <summary>Checks a call; returns null if it may proceed.</summary>
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
