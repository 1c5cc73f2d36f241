namespace Larder.Redis;

/// <summary>Whether a command is read on a connection with key tracking.</summary>
internal enum ReadTracking : byte
{
    /// <summary>Tracking is not requested.</summary>
    None,

    /// <summary>Tracking is requested. The command was not sent yet, or its last attempt used a connection without tracking.</summary>
    Wanted,

    /// <summary>The last attempt used a tracked connection.</summary>
    Given,
}
