namespace Larder.Cli;

/// <summary>Parses hexadecimal input.</summary>
internal static class Hexadecimal
{
    /// <summary>Returns the bytes. Blanks between digits are ignored.</summary>
    /// <exception cref="ArgumentException">The text is not hexadecimal. The message contains the argument's name.</exception>
    public static byte[] Parse(string text, string name)
    {
        try
        {
            return Convert.FromHexString(text.Replace(" ", "", StringComparison.Ordinal));
        }
        catch (FormatException refused)
        {
            throw new ArgumentException($"{name} must be hexadecimal, two digits per byte, but is '{text}'", refused);
        }
    }
}
