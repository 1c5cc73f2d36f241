namespace Larder.Near.Tests.Worlds;

/// <summary>What a stream is to its client.</summary>
internal enum ClientSide : byte
{
    None,

    /// <summary>Its near_open is not answered.</summary>
    Opening,

    /// <summary>The near stream.</summary>
    Near,

    /// <summary>Another takes its place; what is in flight on it is still answered.</summary>
    Replaced,

    Lost,
}
