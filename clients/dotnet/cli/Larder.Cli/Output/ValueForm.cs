namespace Larder.Cli;

/// <summary>How a value is written.</summary>
internal enum ValueForm
{
    /// <summary>On a terminal escaped, elsewhere its bytes; a line end after it.</summary>
    Shown,

    /// <summary>Its bytes and nothing else.</summary>
    Raw,

    /// <summary>Two digits a byte, and a line end.</summary>
    Hex,

    /// <summary>One JSON object with its key, and a line end.</summary>
    Json,
}
