namespace Larder.Cli;

/// <summary>Bytes as they are typed in hexadecimal.</summary>
internal static class Hexadecimal
{
    /// <summary>The bytes; blanks between them are let pass.</summary>
    /// <exception cref="ArgumentException">It is no hexadecimal; the message names what it is of.</exception>
    public static byte[] Parse(string text, string name)
    {
        try
        {
            return Convert.FromHexString(text.Replace(" ", "", StringComparison.Ordinal));
        }
        catch (FormatException refused)
        {
            throw new ArgumentException($"{name}: '{text}' is no hexadecimal: two digits a byte", refused);
        }
    }
}
