namespace Larder.Store;

/// <summary>What one call of a scan shows.</summary>
/// <param name="Keys">The keys, in no order that means anything; none, where those looked at are not asked for.</param>
/// <param name="Cursor">Where the next call goes on; empty: this was the last.</param>
public sealed record KeyPage(IReadOnlyList<ScannedKey> Keys, byte[] Cursor);
