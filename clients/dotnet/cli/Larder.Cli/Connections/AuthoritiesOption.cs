using System.CommandLine;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Cli;

/// <summary>The option for a PEM file with certificate authorities to trust instead of the system's authorities.</summary>
internal sealed class AuthoritiesOption
{
    private const string Name = "--ca";

    private readonly Option<string?> _file = new(Name)
    {
        Description = "PEM file with the certificate authorities to trust instead of the system's",
        HelpName = "file",
    };

    public void AddTo(Command command) => command.Add(_file);

    /// <summary>Returns the path of the given file, or null if the option is not given.</summary>
    public string? FileOf(ParseResult parsed) => parsed.GetValue(_file);

    /// <summary>Returns the authorities of the given file, or null if no file is given.</summary>
    /// <exception cref="ArgumentException">The file cannot be read, or contains no certificates.</exception>
    public X509Certificate2Collection? Read(ParseResult parsed)
    {
        if (FileOf(parsed) is not { } file)
        {
            return null;
        }

        X509Certificate2Collection authorities = [];
        try
        {
            authorities.ImportFromPemFile(file);
        }
        catch (Exception unread) when (unread is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new ArgumentException($"{Name}: {unread.Message}", unread);
        }

        return authorities.Count > 0 ? authorities : throw new ArgumentException($"{Name}: {file} contains no PEM certificate");
    }
}
