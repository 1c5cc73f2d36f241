using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Security.Cryptography;
using Larder.Server.Configuration;

namespace Larder.Server.Security;

/// <summary>The <c>larder token</c> command: creates tokens and inspects token files.</summary>
internal sealed class TokenCommand(TextWriter output, TextWriter errors, TimeProvider time)
{
    private const int Done = 0;
    private const int Wrong = 2;
    private const string Name = "larder token";

    // The prefix makes a leaked token recognizable. Base64url contains no characters that have to be escaped.
    private const string SecretBeginning = "larder_";
    private const int SecretBytes = 32;

    /// <summary>Parses the arguments and runs the command. Returns the exit code: 0 on success, 2 if the command or a file is invalid.</summary>
    public async Task<int> RunAsync(string[] arguments)
    {
        ParseResult parsed = Build().Parse(arguments);
        return parsed.Errors.Count > 0
            ? await RefuseAsync([.. parsed.Errors.Select(static error => error.Message), $"'{Name} --help' lists the options"]).ConfigureAwait(false)
            : await parsed
                .InvokeAsync(new InvocationConfiguration { Output = output, Error = errors, EnableDefaultExceptionHandler = false })
                .ConfigureAwait(false);
    }

    private RootCommand Build()
    {
        RootCommand root = new("Creates tokens and inspects token files (larder serve --tokens FILE).") { New(), Check(), List(), Key() };
        root.HelpName = Name;
        return root;
    }

    private Command New()
    {
        Option<string> id = new("--id") { Description = "Name of the token's owner in logs and metrics: 1 to 255 printable characters", Required = true };
        Option<Grant[]> grants = new("--grant")
        {
            Description = "Permission, repeatable: ROLE:CACHE or ROLE:CACHE:KEYPREFIX; ROLE is read, write, readwrite or admin, CACHE is a name or *",
            Required = true,
            CustomParser = ParseGrants,
        };
        Option<DateTimeOffset?> expires = new("--expires")
        {
            Description = "Expiry: a duration such as 12h or 90d, or a time such as 2027-01-01T00:00:00Z; the default is never",
            CustomParser = ParseExpiry,
        };
        Option<string?> append = new("--append") { Description = "Token file to add the entry to; created if it does not exist" };
        Command command = new(
            "new",
            "Creates a 256-bit token and prints it once. Also prints the entry for the token file or, with --append, adds the entry to that file")
        {
            id, grants, expires, append,
        };
        command.SetAction(parsed => MakeAsync(parsed.GetValue(id)!, parsed.GetValue(grants)!, parsed.GetValue(expires), parsed.GetValue(append)));
        return command;
    }

    private Command Check()
    {
        Argument<string> file = new("file") { Description = "The token file" };
        Command command = new("check", "Checks whether a token file is valid, and lists expired entries") { file };
        command.SetAction(parsed => ReadAsync(parsed.GetValue(file)!, CheckAsync));
        return command;
    }

    private Command List()
    {
        Argument<string> file = new("file") { Description = "The token file" };
        Command command = new("list", "Lists the tokens with their permissions and expiry") { file };
        command.SetAction(parsed => ReadAsync(parsed.GetValue(file)!, ListAsync));
        return command;
    }

    private Command Key()
    {
        Argument<string> file = new("file") { Description = "The key file; created if it does not exist" };
        Command command = new(
            "key",
            "Adds a key to the key file for larder serve --token-key. New disposable tokens are signed with the new key; older keys remain valid")
        {
            file,
        };
        command.SetAction(parsed => AddKeyAsync(parsed.GetValue(file)!));
        return command;
    }

    private async Task<int> AddKeyAsync(string path)
    {
        try
        {
            TokenKeys.AddTo(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ServerOptionsException)
        {
            return await RefuseAsync([error.Message]).ConfigureAwait(false);
        }

        await errors.WriteLineAsync($"larder: the key is in {path}; copy the file to every gateway, and keep it secret").ConfigureAwait(false);
        return Done;
    }

    private async Task<int> MakeAsync(string id, Grant[] grants, DateTimeOffset? expires, string? append)
    {
        string secret = SecretBeginning + System.Buffers.Text.Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(SecretBytes));
        _ = TokenDigest.TryOf(secret, out TokenDigest digest);
        string entry = TokenTableWriter.Write(new TokenEntry(id, [digest], expires, grants));
        try
        {
            // The new entry is first parsed with the rules of the server.
            TokenTableReader.Read(System.Text.Encoding.UTF8.GetBytes($$"""{"tokens":[{{entry}}]}"""));
            if (append is not null)
            {
                TokenTableWriter.Append(append, entry);
            }
        }
        catch (FormatException error)
        {
            return await RefuseAsync([append is null ? error.Message : $"{append}: {error.Message}"]).ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ServerOptionsException)
        {
            return await RefuseAsync([error.Message]).ConfigureAwait(false);
        }

        await output.WriteLineAsync(secret).ConfigureAwait(false);
        if (append is null)
        {
            await output.WriteLineAsync(entry).ConfigureAwait(false);
        }

        await errors.WriteLineAsync(append is null
            ? "larder: the first line is the token, which is shown only once; the second line is its entry for the token file"
            : $"larder: this is the token, which is shown only once; its entry is in {append}").ConfigureAwait(false);
        return Done;
    }

    private async Task<int> ReadAsync(string path, Func<string, TokenTable, Task> show)
    {
        try
        {
            await show(path, TokenTableFile.Read("", path)).ConfigureAwait(false);
            return Done;
        }
        catch (ServerOptionsException error)
        {
            return await RefuseAsync([error.Message.TrimStart()]).ConfigureAwait(false);
        }
    }

    private async Task CheckAsync(string path, TokenTable table)
    {
        foreach (TokenEntry entry in table.Entries.Where(each => each.HasExpired(time)))
        {
            await output.WriteLineAsync($"{entry.Id} has expired").ConfigureAwait(false);
        }

        foreach (TokenEntry entry in table.Entries.Where(static each => each.Digests.Count > 1))
        {
            await output.WriteLineAsync($"{entry.Id} has two tokens; when no client uses the old token any more, remove its sha256 value")
                .ConfigureAwait(false);
        }

        foreach (TokenEntry entry in table.Entries.Where(static each => each.Digests.Count == 0))
        {
            await output.WriteLineAsync($"{entry.Id} has no token; with --client-ca, clients with a certificate of this name have its permissions")
                .ConfigureAwait(false);
        }

        if (TokenTableFile.IsOpenToOthers(path))
        {
            await output.WriteLineAsync($"users other than the owner can read or change {path}; run chmod 600 on it").ConfigureAwait(false);
        }

        await output.WriteLineAsync($"{path} is valid: {table.Entries.Count} tokens").ConfigureAwait(false);
    }

    private async Task ListAsync(string path, TokenTable table)
    {
        foreach (TokenEntry entry in table.Entries)
        {
            string end = entry.Expires is not { } expires ? "never expires"
                : (entry.HasExpired(time) ? "expired" : "expires")
                    + expires.UtcDateTime.ToString(" yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
            await output.WriteLineAsync($"{entry.Id}  {end}  {string.Join(' ', entry.Grants.Select(TokenTableWriter.Describe))}").ConfigureAwait(false);
        }
    }

    private async Task<int> RefuseAsync(IEnumerable<string> reasons)
    {
        foreach (string reason in reasons)
        {
            await errors.WriteLineAsync($"larder: {reason}").ConfigureAwait(false);
        }

        return Wrong;
    }

    private static Grant[] ParseGrants(ArgumentResult result)
    {
        List<Grant> grants = [];
        foreach (string text in result.Tokens.Select(static token => token.Value))
        {
            string[] parts = text.Split(':', 3);
            if (parts.Length < 2 || TokenTableWriter.RoleOf(parts[0]) is not { } rights)
            {
                result.AddError($"--grant must be ROLE:CACHE or ROLE:CACHE:KEYPREFIX with a ROLE of read, write, readwrite or admin, but is '{text}'");
                return [];
            }

            grants.Add(new Grant(parts[1], rights, parts.Length > 2 ? System.Text.Encoding.UTF8.GetBytes(parts[2]) : null));
        }

        return [.. grants];
    }

    private DateTimeOffset? ParseExpiry(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (DurationText.TryParse(text, out TimeSpan duration) && duration < TimeSpan.FromDays(365_000))
        {
            // The time is rounded to whole seconds, because the file contains no fractions.
            return DateTimeOffset.FromUnixTimeSeconds((time.GetUtcNow() + duration).ToUnixTimeSeconds());
        }

        if (TokenTableReader.TryReadTime(text, out DateTimeOffset at))
        {
            return at;
        }

        result.AddError($"--expires must be a duration such as 12h or 90d, or a time with offset such as 2027-01-01T00:00:00Z, but is '{text}'");
        return null;
    }
}
