using System.Security.Cryptography;

namespace Larder.Store.Collections;

/// <summary>
/// Encrypts and authenticates the cursors that callers receive. The encryption is needed because a position in a collection is a hash, which must stay secret
/// (<see cref="KeyHash"/>). The authentication rejects forged cursors, and cursors of other servers, caches and collections. Format: nonce, ciphertext, tag.
/// </summary>
internal static class CursorSeal
{
    private const int NonceBytes = 12;
    private const int TagBytes = 16;

    // There is one key per process, so cursors become invalid when the server restarts.
    private static readonly byte[] s_key = RandomNumberGenerator.GetBytes(16);

    /// <param name="place">The position to encrypt.</param>
    /// <param name="about">The collection's key, as associated data.</param>
    public static byte[] Close(ReadOnlySpan<byte> place, ReadOnlySpan<byte> about)
    {
        byte[] cursor = new byte[NonceBytes + place.Length + TagBytes];
        Span<byte> nonce = cursor.AsSpan(0, NonceBytes);
        RandomNumberGenerator.Fill(nonce);
        using AesGcm cipher = new(s_key, TagBytes);
        cipher.Encrypt(nonce, place, cursor.AsSpan(NonceBytes, place.Length), cursor.AsSpan(NonceBytes + place.Length), about);
        return cursor;
    }

    /// <param name="cursor">The cursor from the caller, which is untrusted.</param>
    /// <param name="about">The collection's key, as associated data.</param>
    /// <param name="place">Receives the decrypted position.</param>
    public static bool TryOpen(ReadOnlySpan<byte> cursor, ReadOnlySpan<byte> about, Span<byte> place)
    {
        if (cursor.Length != NonceBytes + place.Length + TagBytes)
        {
            return false;
        }

        using AesGcm cipher = new(s_key, TagBytes);
        try
        {
            cipher.Decrypt(cursor[..NonceBytes], cursor.Slice(NonceBytes, place.Length), cursor[^TagBytes..], place, about);
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            return false;
        }
    }
}
