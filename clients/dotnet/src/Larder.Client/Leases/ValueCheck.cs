namespace Larder.Client.Leases;

/// <summary>
/// Returns whether a stored value can be decoded. A value that cannot be decoded is treated as a miss: it is created again and replaced (CODEC-7).
/// </summary>
/// <param name="value">The stored bytes.</param>
/// <param name="read">The decoded value if the check has decoded it, so that it is not decoded a second time. Otherwise null.</param>
internal delegate bool ValueCheck(byte[] value, out object? read);
