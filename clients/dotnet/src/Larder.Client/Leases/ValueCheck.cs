namespace Larder.Client.Leases;

/// <summary>Whether a stored value is of use to its readers: one that is not is a miss, made anew and replaced (CODEC-7).</summary>
/// <param name="value">The bytes.</param>
/// <param name="read">What they mean, so that it need not be found out again; null: nothing is kept.</param>
internal delegate bool ValueCheck(byte[] value, out object? read);
