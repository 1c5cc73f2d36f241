using System.Text;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

/// <summary>
/// Tests of the grants of a signed token. The token permits exactly what both its own grants and the grants of its issuer permit (AUTH-19, AUTH-21).
/// </summary>
public sealed class GrantTests
{
    private static readonly string[] Caches = ["a", "b"];
    private static readonly Rights[] Roles = [Rights.Read, Rights.Write, Rights.ReadWrite];

    [Fact]
    public void Within_returns_intersection_of_grant_and_issuer_rights()
    {
        Random random = new(3);
        for (int round = 0; round < 4_000; round++)
        {
            Grant asked = Some(random, mayBeKey: true);
            TokenEntry issuer = new("issuer", [], null, [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => Some(random, mayBeKey: false))]);
            TokenEntry alone = new("alone", [], null, [asked]);
            TokenEntry left = new("left", [], null, [.. asked.Within(issuer)]);
            bool isHeld = true;
            foreach (string cache in Caches)
            {
                foreach (byte[] key in Keys())
                {
                    foreach (Rights rights in (Rights[])[Rights.Read, Rights.Write])
                    {
                        bool wanted = alone.In(cache).Allows(rights, key);
                        bool issuers = issuer.In(cache).Allows(rights, key);
                        Assert.Equal(wanted && issuers, left.In(cache).Allows(rights, key));
                        isHeld &= !wanted || issuers;
                    }
                }
            }

            // The check is conservative: it may return false although the issuer's grants together cover every key of this test. It must never return true for
            // a key that they do not cover.
            Assert.True(isHeld || !asked.IsHeldBy(issuer));
        }
    }

    [Fact]
    public void Super_user_grant_is_reduced_to_rights_of_its_issuer()
    {
        Grant super = new(Grant.AllCaches, Rights.All, Topics: Rights.ReadWrite);
        TokenEntry issuer = new("issuer", [], null, [new Grant("a", Rights.ReadWrite, Topics: Rights.Read)]);
        Assert.False(super.IsHeldBy(issuer));
        TokenEntry left = new("left", [], null, [.. super.Within(issuer)]);
        Assert.Equal((Rights.ReadWrite, Rights.Read), (left.In("a").Whole, left.In("a").Topics));
        Assert.False(left.In("b").IsSome);
        Assert.True(super.IsHeldBy(new TokenEntry("ops", [], null, [super])));
    }

    private static Grant Some(Random random, bool mayBeKey)
    {
        int kind = random.Next(mayBeKey ? 3 : 2);
        byte[]? prefix = kind == 0 ? null : Encoding.UTF8.GetBytes("kk"[..random.Next(1, 3)] + (random.Next(2) == 0 ? "" : "x"));
        return new Grant(random.Next(3) == 0 ? Grant.AllCaches : Caches[random.Next(2)], Roles[random.Next(3)], prefix, IsKey: kind == 2);
    }

    private static IEnumerable<byte[]> Keys() => ((string[])["k", "kk", "kx", "kkx", "kkxx", "z", ""]).Select(Encoding.UTF8.GetBytes);
}
