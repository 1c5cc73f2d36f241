namespace Larder.Cli;

/// <summary>The form in which a value is written.</summary>
internal enum ValueForm
{
    /// <summary>The value is escaped if the output is a terminal, otherwise it is written as raw bytes. A line break follows.</summary>
    Shown,

    /// <summary>The value is written as raw bytes, without a line break.</summary>
    Raw,

    /// <summary>The value is written as two hexadecimal digits per byte. A line break follows.</summary>
    Hex,

    /// <summary>The value is written as a JSON object with the key. A line break follows.</summary>
    Json,
}
