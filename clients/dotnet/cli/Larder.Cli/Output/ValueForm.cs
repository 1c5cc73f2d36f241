namespace Larder.Cli;

/// <summary>How a value is written.</summary>
internal enum ValueForm
{
    /// <summary>Escaped on a terminal, otherwise as raw bytes; followed by a line break.</summary>
    Shown,

    /// <summary>Only the raw bytes.</summary>
    Raw,

    /// <summary>Two digits per byte, and a line break.</summary>
    Hex,

    /// <summary>One JSON object with the key, and a line break.</summary>
    Json,
}
