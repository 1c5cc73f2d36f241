namespace Larder.Redis;

/// <summary>The state of a command with respect to key tracking.</summary>
internal enum ReadTracking : byte
{
    /// <summary>Tracking is not requested.</summary>
    None,

    /// <summary>Tracking is requested. The command was not sent yet, or its last attempt used a connection without tracking.</summary>
    Wanted,

    /// <summary>The last attempt used a tracked connection.</summary>
    Given,
}
