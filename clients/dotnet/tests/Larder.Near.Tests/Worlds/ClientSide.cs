namespace Larder.Near.Tests.Worlds;

/// <summary>A stream's state at its client.</summary>
internal enum ClientSide : byte
{
    None,

    /// <summary>The near_open has not been answered.</summary>
    Opening,

    /// <summary>The stream is the near stream.</summary>
    Near,

    /// <summary>Another stream has replaced this one. Operations in flight on this stream are still answered.</summary>
    Replaced,

    Lost,
}
