namespace Larder.Redis;

/// <summary>Whether a command is read on a connection with key tracking.</summary>
internal enum ReadTracking : byte
{
    /// <summary>Tracking is not requested.</summary>
    None,

    /// <summary>Tracking is requested, but the last attempt used no tracked connection, or there was no attempt.</summary>
    Wanted,

    /// <summary>The last attempt used a tracked connection.</summary>
    Given,
}
