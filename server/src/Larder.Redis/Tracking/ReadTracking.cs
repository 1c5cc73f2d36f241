namespace Larder.Redis;

/// <summary>Whether a command is read on a connection that its node tracks.</summary>
internal enum ReadTracking : byte
{
    /// <summary>It is not to be.</summary>
    None,

    /// <summary>It is to be where there is such a connection; the last time there was none, or it was never sent.</summary>
    Wanted,

    /// <summary>It was sent on one the last time.</summary>
    Given,
}
