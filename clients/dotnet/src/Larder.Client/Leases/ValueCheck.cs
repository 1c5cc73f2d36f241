namespace Larder.Client.Leases;

/// <summary>Returns whether readers can use a stored value. A value that they cannot use is a miss, and is created again and replaced (CODEC-7).</summary>
/// <param name="value">The stored bytes.</param>
/// <param name="read">The decoded value, so that it is decoded only once, or null.</param>
internal delegate bool ValueCheck(byte[] value, out object? read);
